import type { AppChange, ChangeAnswer, Retirement } from './channel-answers.schema.ts';

export function change({ app, from, to }: AppChange): string {
  return `${app} ${from ?? 'none'} → ${to ?? 'none'}`;
}

export function retirement({ app, is, to }: Retirement): string {
  if (is === 'back') return `${app} was brought back`;
  return `${app} was retired: its paths ${to === null ? 'respond with 410 Gone' : `redirect to ${to}`}`;
}

export function changeLines({
  changes,
  rendered,
  revoked = [],
  canary,
  quarantined,
  canariesEnded = [],
  putBack,
  links = [],
}: ChangeAnswer): string[] {
  return [
    ...changes.map(change),
    pagesLine(rendered, changes.length),
    ...(quarantined ? [`quarantined: ${quarantined.app}@${quarantined.version}`] : []),
    ...(putBack ? [goodness(putBack)] : []),
    ...links.map(({ path, app, to }) => `${path} of ${app} links to ${to.join(', ')}`),
    ...(revoked.length > 0 ? [`open tabs leave: ${revoked.join(', ')}`] : []),
    ...canariesEnded.map(
      ({ release, app, because }) => `the canary ${release} of ${app} has ended: ${because}`,
    ),
    ...(canary
      ? [`canary: ${canary.release} of ${canary.app} is shown to ${canary.share} % of visitors`]
      : []),
  ];
}

function goodness({ app, version, proven }: NonNullable<ChangeAnswer['putBack']>): string {
  const name = `${app}@${version}`;
  return proven === null
    ? `${name} was live before, but is not proven good`
    : `${name} is proven good: ${proven}`;
}

function pagesLine(rendered: number, versions: number): string {
  if (rendered > 0) return `pages rendered: ${rendered}`;
  if (versions === 0) return 'no page needed rendering';
  return versions === 1
    ? 'its pages were rendered when it was published'
    : 'their pages were rendered when they were published';
}
