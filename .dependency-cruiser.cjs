/** Who may import whom. The same rules as a picture: CONTRIBUTING.md. */
const tests = '(\\.test\\.tsx?$|/testing/|^tests/)';

/**
 * The folders of the edge, each of which knows only those before it: what it writes down, sockets, limits, bytes, documents,
 * search, releases, files of older releases, previews, signals of browsers, requests.
 */
const edge = [
  'telemetry',
  'server',
  'limits',
  'files',
  'documents',
  'search',
  'releases',
  'archive',
  'previews',
  'signals',
  'requests',
];
const edgeImportsDownwards = edge.map((folder, index) => ({
  name: `edge-${folder}-imports-downwards`,
  comment: `delivery/edge: ${edge.join(', ')} build on each other in this order; only create-edge.ts knows them all.`,
  severity: 'error',
  from: { path: `^delivery/edge/src/${folder}/`, pathNot: tests },
  to: { path: `^delivery/edge/src/(${[...edge.slice(index + 1), '[^/]+\\.ts$'].join('|')})` },
}));

module.exports = {
  forbidden: [
    ...edgeImportsDownwards,
    {
      name: 'no-circular',
      comment: 'A circle means that one idea lives in two files, or two ideas in one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'apps-never-import-each-other',
      comment:
        'Shell and remotes are deployed apart: they meet at run time, through shared/contract and shared/kit.',
      severity: 'error',
      from: { path: '^(shell|mfe-[^/]+)/' },
      to: { path: '^(shell|mfe-[^/]+|services|delivery)/', pathNot: '^$1/' },
    },
    {
      name: 'shared-imports-no-app',
      comment: 'What everybody shares knows nobody in particular.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(shell|mfe-[^/]+|services|delivery)/' },
    },
    {
      name: 'services-know-only-contract-and-server',
      comment:
        'A service talks to others over HTTP; it shares the wire format (contract) and the server base (server).',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: tests },
      to: {
        path: '^(shared|services|delivery|shell|mfe-)',
        pathNot: '^(shared/(contract|server)|services/$1)/',
      },
    },
    {
      name: 'delivery-knows-no-app',
      comment:
        'Delivery handles builds as data. Only delivery/local, which runs everything on one machine, builds and starts things.',
      severity: 'error',
      from: { path: '^delivery/', pathNot: `(^delivery/(local|console)/|${tests})` },
      to: { path: '^(shared|services|shell|mfe-)', pathNot: '^shared/(contract|server)/' },
    },
    {
      name: 'console-is-a-client',
      comment:
        'The console runs in a browser and talks to the registry over HTTP, by the table of calls; its look is that of the site.',
      severity: 'error',
      from: { path: '^delivery/console/', pathNot: tests },
      to: {
        path: '^(shared|services|delivery|shell|mfe-)',
        pathNot: '^(shared/(contract|kit|ui)|delivery/console)/',
      },
    },
    {
      name: 'registry-work-knows-no-http',
      comment:
        'Handlers in http/ call what the registry does; that knows nothing of requests. What both name stands in the contract.',
      severity: 'error',
      from: { path: '^delivery/registry/src/(use-cases|previews|backup|audit|database|domain)/' },
      to: { path: '^delivery/registry/src/http/' },
    },
    {
      name: 'registry-database-imports-nothing-upwards',
      comment: 'Repositories read and write rows; who calls them, and why, is decided above.',
      severity: 'error',
      from: { path: '^delivery/registry/src/database/', pathNot: tests },
      to: { path: '^delivery/registry/src/', pathNot: '^delivery/registry/src/(database|domain)/' },
    },
    {
      name: 'registry-domain-stands-alone',
      comment: 'The rules of releases need neither a database nor a request.',
      severity: 'error',
      from: { path: '^delivery/registry/src/domain/', pathNot: tests },
      to: { path: '^delivery/registry/src/', pathNot: '^delivery/registry/src/domain/' },
    },
    {
      name: 'guard-stands-alone',
      comment:
        'The judgement is pure: counts in, a verdict out. Who counts, and who acts, is decided elsewhere.',
      severity: 'error',
      from: { path: '^delivery/guard/' },
      to: { pathNot: '^delivery/guard/' },
    },
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      comment: 'Test helpers must not reach a build.',
      from: { pathNot: `(${tests}|^shared/testing/)` },
      to: { path: '^shared/testing/' },
    },
    {
      name: 'only-build-files-import-build',
      severity: 'error',
      comment: 'The webpack factory is for building: an app that needs it at run time has lost its way.',
      from: { pathNot: `(^shared/(build|testing|packages)/|^delivery/local/|${tests})` },
      to: { path: '^shared/build/' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\?(inline|root)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
