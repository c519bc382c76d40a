// Resolving a promise reads `then` of its value: the getter turned the sandbox's response into one of Node's internal
// IPC messages, which made the parent fail an assertion.
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
