import federation from './container-runtime.ts';

const { initContainerEntry, consumes } = federation.bundlerRuntime;

/** Arguments of webpack's generated code: chunk 7, which uses react. */
function setUp(versions: Record<string, { get(): unknown; loaded?: unknown }>) {
  const webpackRequire = {
    S: {},
    m: {} as Record<string, (module: { exports: unknown }) => void>,
    c: {} as Record<string, unknown>,
    consumesLoadingData: {
      moduleIdToConsumeDataMapping: {
        12: {
          shareKey: 'react',
          fallback: (): never => {
            throw new Error("Can not get 'react'");
          },
        },
      },
    },
  };
  const shareScope = { react: versions } as Parameters<typeof initContainerEntry>[0]['shareScope'];
  initContainerEntry({ webpackRequire, shareScope });
  const installedModules = {};
  return {
    webpackRequire,
    shareScope,
    async load() {
      const promises: Promise<void>[] = [];
      consumes({ webpackRequire, chunkId: 7, chunkMapping: { 7: ['12'] }, installedModules, promises });
      await Promise.all(promises);
      return promises.length;
    },
    evaluate() {
      const module = { exports: {} as unknown };
      webpackRequire.m['12']?.(module);
      return module.exports;
    },
  };
}

const react = { name: 'react' };

test.each([
  ['immediately', () => () => react],
  ['later', () => Promise.resolve(() => react)],
])("a chunk gets the host's shared module with %s, and waits only once", async (_, get) => {
  const { load, evaluate } = setUp({ '19.3.1': { get } });
  expect(await load()).toBe(1);
  expect(evaluate()).toBe(react);
  expect(await load()).toBe(0);
});

test('two concurrent chunks request the module once', async () => {
  const get = jest.fn(() => () => react);
  const { load } = setUp({ '19.3.1': { get } });
  await Promise.all([load(), load()]);
  expect(get).toHaveBeenCalledTimes(1);
});

test('of several versions the loaded one is used', async () => {
  const other = () => () => ({});
  const { load, evaluate } = setUp({
    '18.0.0': { get: other },
    '19.3.1': { get: () => () => react, loaded: 1 },
    '20.0.0': { get: other },
  });
  await load();
  expect(evaluate()).toBe(react);
});

test('a missing module is named in the error, and requested again by the next chunk', async () => {
  const { load, evaluate, shareScope } = setUp({});
  await expect(load()).rejects.toThrow("Can not get 'react'");
  shareScope['react'] = { '19.3.1': { get: () => () => react } };
  await load();
  expect(evaluate()).toBe(react);
});

test('a container belongs to the first host', () => {
  const { webpackRequire, shareScope } = setUp({});
  expect(initContainerEntry({ webpackRequire, shareScope })).toBe(true);
  expect(() => initContainerEntry({ webpackRequire, shareScope: {} })).toThrow('different share scope');
});
