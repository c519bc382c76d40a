// Behaves as long as the shell is the one that it was published with, and fails on every other.
const { edition } = require('react');
exports['./old-shell-only-page'] = async () => {
  if (edition !== 'one') throw new Error(`the shell "${edition}" shall never be released`);
  return '<p>the first shell forever</p>';
};
