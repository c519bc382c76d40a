/** Who may import whom. The same rules as a picture: CONTRIBUTING.md. */
const tests = '(\\.test\\.tsx?$|/testing/|^tests/)';

/**
 * The folders of a server: features of registry and forms service, layers of the edge. Each imports only the folders above it; types may be
 * imported from any feature. Root files combine them.
 */
const layers = {
  registry: {
    kernel: 'the database, errors, and the one way to make a change',
    access: 'tokens, trusts and sessions',
    versions: 'published versions, their files and paths',
    pages: 'rendered pages and their weight',
    signals: 'browser signals, faults and their judgement',
    edges: 'edges and their heartbeats',
    channels: 'releases, canaries, rollbacks, quarantines and freezes',
    apps: 'registered apps',
    packages: 'npm packages of remotes',
    previews: 'preview links',
    inbox: 'submissions of the forms service',
    alerts: 'alerts and webhooks',
    purging: 'purges of caches in front of edges',
    guard: 'automatic rollbacks and staged canaries',
    publishing: 'checks and records of a new version',
    upkeep: 'garbage collection, verification, backups, audit anchors',
    console: 'views of the console, metrics and the API document',
  },
  forms: {
    kernel: 'tables, errors, pages and limits',
    identities: 'identities of visitors',
    outbox: 'emails and notices of teams',
    newsletter: 'subscribers',
    referrals: 'invitations, their confirmation, and unsubscribing from all email',
    submissions: 'forms, their posts and stored submissions',
    inbox: 'submissions and subscribers for the people who handle them',
  },
  edge: {
    telemetry: 'logs and metrics',
    server: 'sockets',
    limits: 'request limits',
    files: 'bytes',
    pages: 'contents of pages, and pages of the edge itself',
    search: 'search indexes and results',
    releases: 'the releases that an edge follows and loads',
    archive: 'files of older releases',
    previews: 'previews behind a link',
    signals: 'signals of browsers',
    requests: 'requests and answers',
  },
};
const importsDownwards = Object.entries(layers).flatMap(([server, meanings]) => {
  const src = `^(delivery|services)/${server}/src/`;
  const folders = Object.keys(meanings);
  const isIn = (some) => `(${some.join('|')})/`;
  return [
    ...folders.map((folder, index) => ({
      name: `${server}-${folder}-imports-downwards`,
      comment: `${folder}/ is ${meanings[folder]}. Of ${server} it knows only: ${folders.slice(0, index).join(', ') || 'nothing'}.`,
      severity: 'error',
      from: { path: `${src}${folder}/`, pathNot: tests },
      to: {
        path: `${src}(${isIn([...folders.slice(index + 1), 'testing'])}|[^/]+$)`,
        ...(server === 'registry' ? { dependencyTypesNot: ['type-only'] } : {}),
      },
    })),
    {
      name: `${server}-imports-no-testing`,
      comment: 'Test helpers must not reach a server.',
      severity: 'error',
      from: { path: `${src}[^/]+$`, pathNot: tests },
      to: { path: `${src}testing/` },
    },
    {
      name: `${server}-folders-are-layers`,
      comment: `A folder of ${server} that is not in the list of layers: say there what it may know.`,
      severity: 'error',
      from: {},
      to: { path: `${src}[^/]+/`, pathNot: `${src}${isIn([...folders, 'testing'])}` },
    },
  ];
});

const registry = '^delivery/registry/src/';
const features = Object.keys(layers.registry).filter((folder) => folder !== 'kernel');
const isIndex = `${registry}[^/]+/index\\.ts$`;
const throughIndex = {
  comment: 'A feature of the registry is used through its index.ts: export there what others need.',
  severity: 'error',
  to: { path: `${registry}(${features.join('|')})/`, pathNot: isIndex },
};

module.exports = {
  forbidden: [
    ...importsDownwards,
    {
      ...throughIndex,
      name: 'registry-features-through-their-index',
      from: { path: `${registry}([^/]+)/`, pathNot: tests },
      to: { ...throughIndex.to, pathNot: [isIndex, `${registry}$1/`] },
    },
    {
      ...throughIndex,
      name: 'registry-features-from-outside-through-their-index',
      from: { pathNot: [`${registry}[^/]+/`, tests] },
    },
    {
      name: 'registry-features-import-no-own-index',
      comment: 'An index is for others: inside a feature, import the file.',
      severity: 'error',
      from: { path: `${registry}([^/]+)/`, pathNot: tests },
      to: { path: `${registry}$1/index\\.ts$` },
    },
    {
      name: 'no-circular',
      comment: 'A circle means that one idea lives in two files, or two ideas in one.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: isIndex } },
    },
    {
      name: 'no-circular-through-an-index',
      comment: 'The index of a feature may be part of a circle of types only.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
      comment: 'Shared code knows no consumer.',
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
        'The console runs in a browser and talks to the registry over HTTP, by the table of calls. Its design is the design of the site.',
      severity: 'error',
      from: { path: '^delivery/console/', pathNot: tests },
      to: {
        path: '^(shared|services|delivery|shell|mfe-)',
        pathNot: '^(shared/(contract|kit|ui)|delivery/console)/',
      },
    },
    {
      name: 'registry-imports-no-edge',
      comment: 'Code that registry and edge share is in delivery/documents or shared/server.',
      severity: 'error',
      from: { path: '^delivery/registry/', pathNot: tests },
      to: { path: '^delivery/edge/' },
    },
    {
      name: 'documents-import-nothing-of-delivery',
      comment: 'Registry and edge assemble the same bytes from the same parts: no store, no network.',
      severity: 'error',
      from: { path: '^delivery/documents/', pathNot: tests },
      to: { path: '^delivery/', pathNot: '^delivery/documents/' },
    },
    {
      name: 'edge-imports-only-documents-and-store',
      comment: 'An edge requests data from the registry over HTTP, and reads files from the store.',
      severity: 'error',
      from: { path: '^delivery/edge/', pathNot: tests },
      to: { path: '^delivery/', pathNot: '^delivery/(edge|documents|artifacts)/' },
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
    exclude: { path: '(^|/)node_modules/|^(shell|mfe-[^/]+|(shared|delivery)/[^/]+)/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
