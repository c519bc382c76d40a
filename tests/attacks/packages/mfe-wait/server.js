// Stops the only thread: nothing in this process can end that.
exports['./wait-page'] = async () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
