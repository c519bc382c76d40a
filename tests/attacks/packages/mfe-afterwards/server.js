// Renders a valid page, and does harm later: during the next rendering, or when the process is idle.
const registry = new FinalizationRegistry(() => process.exit(1));
exports['./afterwards-page'] = async () => {
  for (let index = 0; index < 1000; index += 1) registry.register({}, index);
  setTimeout(() => {
    throw new Error('later');
  }, 1);
  setImmediate(() => setImmediate(() => Promise.reject(new Error('later'))));
  setInterval(() => console.error('x'.repeat(1e6)), 1);
  return '<p>afterwards</p>';
};
