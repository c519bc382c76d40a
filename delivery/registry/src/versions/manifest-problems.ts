import { appOfForm, OwnerSchema, pageOfPlace, type VersionManifest } from '@site/contract';
import { visibleLine } from '@site/contract/text';
import * as v from 'valibot';
import { manifestPaths } from './path-claims.ts';
import { isExactVersion, isRange } from './ranges.ts';

/** Beyond the manifest's schema. */
export interface ManifestProblem {
  field: string;
  message: string;
}

export function manifestProblems(manifest: VersionManifest): ManifestProblem[] {
  const assets = new Set(manifest.assets.map(({ path }) => path));
  const notAmongAssets = (field: string, paths: readonly string[]) =>
    paths
      .filter((path) => !assets.has(path))
      .map((path) => ({ field, message: `names "${path}", which is not among the assets.` }));

  return [
    ...((manifest.kind === 'shell') !== (manifest.app === 'shell')
      ? [
          {
            field: 'kind',
            message: `is "${manifest.kind}" for the app "${manifest.app}": only "shell" is a shell.`,
          },
        ]
      : []),
    ...(v.is(OwnerSchema, manifest.owner)
      ? []
      : [
          {
            field: 'owner',
            message: `is "${visibleLine(manifest.owner)}": a team name in lower case, such as "blocks", is wanted.`,
          },
        ]),
    ...twice(manifest.assets.map(({ path }) => path)).map((path) => ({
      field: 'assets',
      message: `lists "${path}" twice.`,
    })),
    ...manifest.assets
      .filter(({ path }) => path.endsWith('.map'))
      .map(({ path }) => ({
        field: 'assets',
        message: `lists "${path}", and assets are public: source maps belong in "sourceMaps".`,
      })),
    ...notAmongAssets('entry', [manifest.entry]),
    ...(manifest.kind === 'remote'
      ? [
          ...manifest.pages.flatMap(({ path, js, css, card }) =>
            notAmongAssets(`pages ${path}`, [...js, ...css, ...(card ? [card.file] : [])]),
          ),
          ...twice(manifestPaths(manifest)).map((path) => ({
            field: 'pages',
            message: `claim "${path}" twice.`,
          })),
          ...declaredFormProblems(manifest),
          ...Object.entries(manifest.requires)
            .filter(([, range]) => !isRange(range))
            .map(([name, range]) => ({
              field: 'requires',
              message: `asks for ${name} "${range}", which is not a semver range.`,
            })),
        ]
      : [
          ...notAmongAssets('document', [
            ...manifest.document.css,
            ...manifest.document.inlineScripts,
            ...manifest.document.fonts,
            ...Object.values(manifest.document.rootFiles),
          ]),
          ...Object.entries(manifest.provides)
            .filter(([, version]) => !isExactVersion(version))
            .map(([name, version]) => ({
              field: 'provides',
              message: `offers ${name} "${version}", which is not an exact version.`,
            })),
        ]),
  ];
}

/** A form belongs to the app in its identifier's prefix, and is placed on one of its pages. */
function declaredFormProblems({
  app,
  pages,
  declaredForms = [],
}: Extract<VersionManifest, { kind: 'remote' }>): ManifestProblem[] {
  const field = 'declaredForms';
  const paths = new Set(pages.map(({ path }) => path));
  return declaredForms.flatMap(({ id, place }) => [
    ...(appOfForm(id) === app
      ? []
      : [{ field, message: `declare "${id}", which is a form of ${appOfForm(id)}, not of ${app}.` }]),
    ...(paths.has(pageOfPlace(place))
      ? []
      : [{ field, message: `put "${id}" on ${pageOfPlace(place)}, which is not a page of ${app}.` }]),
  ]);
}

function twice(values: readonly string[]): string[] {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const value of values) (seen.has(value) ? again : seen).add(value);
  return [...again];
}
