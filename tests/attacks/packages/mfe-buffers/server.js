// Memory that the limit of the JavaScript heap does not count.
exports['./buffers-page'] = async () => {
  const hoard = [];
  for (;;) {
    hoard.push(Buffer.alloc(5e7, 1), new SharedArrayBuffer(1e6));
    await new Promise((go) => setTimeout(go, 1));
  }
};
