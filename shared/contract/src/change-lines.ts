import type { AppChange, ChangeAnswer, Retirement } from './channel-answers.schema.ts';

/** `mfe-blocks 1.0.0-… → 1.0.0-…` */
export function change({ app, from, to }: AppChange): string {
  return `${app} ${from ?? 'none'} → ${to ?? 'none'}`;
}

/** `mfe-blocks was retired: its paths redirect to /partners` */
export function retirement({ app, is, to }: Retirement): string {
  if (is === 'back') return `${app} was brought back`;
  return `${app} was retired: its paths ${to === null ? 'respond with 410 Gone' : `redirect to ${to}`}`;
}

/** What a change of a channel did, or would do, in lines for people. */
export function changeLines({
  changes,
  rendered,
  revoked = [],
  canary,
  quarantined,
  quarantinedVersions = [],
  canaryEnded,
  putBack,
  links = [],
}: ChangeAnswer): string[] {
  const bad = [...(quarantined ? [quarantined] : []), ...quarantinedVersions];
  return [
    ...changes.map(change),
    pagesLine(rendered, changes.length),
    ...bad.map(({ app, version }) => `quarantined: ${app}@${version}`),
    ...(putBack ? [goodness(putBack)] : []),
    ...links.map(({ path, app, to }) => `${path} of ${app} links to ${to.join(', ')}`),
    ...(revoked.length > 0 ? [`open tabs leave: ${revoked.join(', ')}`] : []),
    ...(canaryEnded ? [`the canary ${canaryEnded.release} ended: ${canaryEnded.because}`] : []),
    ...(canary ? [`canary: ${canary.release} is seen by ${canary.share} % of the visitors`] : []),
  ];
}

function goodness({ app, version, proven }: NonNullable<ChangeAnswer['putBack']>): string {
  const name = `${app}@${version}`;
  return proven === null
    ? `${name} was live before; nothing shows that it is good`
    : `${name} is shown to be good: ${proven}`;
}

function pagesLine(rendered: number, versions: number): string {
  if (rendered > 0) return `pages rendered: ${rendered}`;
  if (versions === 0) return 'no page had to be rendered';
  return versions === 1
    ? 'its pages were rendered when it was published'
    : 'their pages were rendered when they were published';
}
