// Traverses all reachable objects, and calls every function that might connect to a listening service.
exports['./reach-page'] = async ({ config }) => {
  const { port } = new URL(config.forms.base);
  const found = new Set([globalThis, exports, require, module]);
  Error.prepareStackTrace = (_error, sites) => sites;
  for (const site of new Error().stack) {
    for (const ask of ['getThis', 'getFunction']) found.add(site[ask]?.());
    found.add(site);
  }
  Error.prepareStackTrace = undefined;
  found.add(
    (function callers() {
      try {
        return callers.caller;
      } catch {
        return null;
      }
    })(),
  );
  for (const make of [
    () => new Response('x'),
    () => new Request('http://x/'),
    () => new MessageChannel(),
    () => setTimeout(() => 0),
    () => new CompressionStream('gzip'),
    () => new BroadcastChannel('x'),
    () => new Blob(['x']).stream(),
  ]) {
    try {
      found.add(make());
    } catch {
      /* Not available. */
    }
  }
  for (const holder of found) {
    if (Object(holder) !== holder) continue;
    for (const key of Reflect.ownKeys(holder)) {
      const property = Object.getOwnPropertyDescriptor(holder, key);
      found.add(property.get);
      let value;
      try {
        value = holder[key];
      } catch {
        continue;
      }
      if (Object(value) !== value) continue;
      if (value instanceof Promise) value.catch(() => 0);
      found.add(value);
    }
    found.add(Object.getPrototypeOf(holder));
  }
  const ways =
    /^(connect|listen|dispatch|request|fetch|bind|open|spawn|fork|exec|kill|getBuiltinModule|binding|_linkedBinding|dlopen|require)$/;
  const tried = [];
  for (const holder of found) {
    if (Object(holder) !== holder || holder === Function.prototype) continue;
    for (const key of Reflect.ownKeys(holder)) {
      if (!ways.test(String(key))) continue;
      for (const args of [
        [Number(port), '127.0.0.1'],
        [{ port: Number(port), host: '127.0.0.1' }],
        [config.forms.base],
        ['node:net'],
        ['tcp_wrap'],
        ['net'],
      ]) {
        try {
          const got = await Promise.race([holder[key](...args), new Promise((go) => setTimeout(go, 20))]);
          tried.push(String(key));
          if (typeof got?.connect === 'function') got.connect(Number(port), '127.0.0.1');
        } catch {
          // Not permitted.
        }
      }
    }
  }
  try {
    await (await import('node:net')).connect(Number(port), '127.0.0.1');
  } catch {
    /* Not permitted. */
  }
  try {
    new Function('return process')();
    tried.push('Function');
  } catch {
    /* Not permitted. */
  }
  try {
    (0, eval)('1');
    tried.push('eval');
  } catch {
    /* Not permitted. */
  }
  return `<p>looked at ${found.size > 1000 ? 'more than a thousand things' : found.size}</p>`;
};
