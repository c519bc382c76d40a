const classNames = new Proxy({}, { get: (_target, key) => (key === '__esModule' ? false : key) });
export default classNames;
