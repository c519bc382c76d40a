// Works with the shell that it was published with, and fails with any other.
const { edition } = require('react');
exports['./old-shell-only-page'] = async () => {
  if (edition !== 'one') throw new Error(`the shell "${edition}" shall never be released`);
  return '<p>the first shell forever</p>';
};
