// Writes control sequences into the publisher's terminal: clears the screen, sets the title, and reports success.
exports['./terminal-page'] = async () => {
  throw new Error('\u001b[2J\u001b]0;owned\u0007\u009b32m\rall is well\u202e\nsite: published mfe-terminal');
};
