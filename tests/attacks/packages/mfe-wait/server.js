// Blocks the only thread, which nothing in this process can end.
exports['./wait-page'] = async () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
