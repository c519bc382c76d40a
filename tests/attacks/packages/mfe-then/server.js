// Whatever the sandbox resolves a promise with is asked for `then`: the getter turns the answer into one of Node's own
// messages between processes, which made the parent fail an assertion.
exports['./then-page'] = async () => {
  Object.defineProperty(Object.prototype, 'then', {
    configurable: true,
    get() {
      if (typeof this.type === 'string') {
        this.cmd = 'NODE_HANDLE';
        this.type = 'net.Server';
        this.msg = {};
      }
      return undefined;
    },
  });
  return '<p>then</p>';
};
