// Deletes or replaces every built-in that reading a request, rendering and writing a response might use.
const evil = function () {
  return evil;
};
exports['./pollute-page'] = async () => {
  for (const name of [
    '0',
    '1',
    'id',
    'kind',
    'type',
    'cmd',
    'toJSON',
    'length',
    'value',
    'get',
    'set',
    'constructor',
  ]) {
    Object.defineProperty(Object.prototype, name, { configurable: true, get: () => evil, set() {} });
    Object.defineProperty(Array.prototype, name === 'length' ? 'size' : name, {
      configurable: true,
      get: () => evil,
      set() {},
    });
  }
  const holders = [
    Function,
    Array,
    String,
    Buffer,
    Promise,
    Map,
    Set,
    Uint8Array,
    DataView,
    RegExp,
    Error,
    TextEncoder,
  ];
  for (const holder of holders) {
    for (const target of [holder.prototype, holder]) {
      for (const name of Reflect.ownKeys(target)) {
        if (name === 'prototype' || name === 'constructor') continue;
        try {
          target[name] = evil;
        } catch {
          // Not configurable.
        }
      }
    }
  }
  Object.getPrototypeOf(Uint8Array.prototype)[Symbol.iterator] = evil;
  for (const name of ['stringify', 'parse']) JSON[name] = () => '{"type":"rendered"}';
  for (const name of ['apply', 'ownKeys', 'defineProperty', 'get', 'set']) Reflect[name] = evil;
  for (const name of ['keys', 'entries', 'assign', 'hasOwn', 'defineProperty']) Object[name] = evil;
  globalThis.Buffer =
    globalThis.String =
    globalThis.Error =
    globalThis.Promise =
    globalThis.setImmediate =
      evil;
  return '<p>polluted</p>';
};
