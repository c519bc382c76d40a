// The sandbox pushes captured output into an array, so this would evaluate the output in the sandbox's own context.
const push = Array.prototype.push;
exports['./array-push-page'] = async () => {
  Array.prototype.push = eval;
  console.error("import('node:net').then((net) => (globalThis.stolen = Object.keys(net)))");
  Array.prototype.push = push;
  await new Promise((resolve) => setTimeout(resolve, 100));
  if (globalThis.stolen) return `<p>stolen: ${globalThis.stolen.join()}</p>`;
  throw new Error('nothing was stolen');
};
