// Clears the screen of whoever reads why it was refused, names their window, and says that all is well.
exports['./terminal-page'] = async () => {
  throw new Error('\u001b[2J\u001b]0;owned\u0007\u009b32m\rall is well\u202e\nsite: published mfe-terminal');
};
