import {
  choiceCount,
  chosenVariants,
  experimentKey,
  variantChoices,
  variantKey,
  type ChannelName,
  type PageEntry,
  type VariantChoice,
} from '@site/contract';
import type { ExperimentShown } from '@site/contract/registry-calls/view.calls';
import { compareArms, type Standing } from '@site/guard/experiment';
import { findLive } from '../channels/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findManifests } from '../versions/index.ts';
import { readExperimentCounts, type ExperimentRow } from '../signals/index.ts';

export async function showExperiments(
  db: RegistryDb,
  channel: ChannelName,
  app: string | undefined,
): Promise<ExperimentShown[]> {
  const live = await findLive(db, channel);
  if (!live) return [];
  const { apps, config } = live.release;
  const versions = Object.entries(apps).filter(([name]) => app === undefined || name === app);
  const counts = await readExperimentCounts(db, channel, app);
  const manifests = await findManifests(db, versions);
  return [...manifests.values()].flatMap((manifest) =>
    manifest.kind === 'remote'
      ? manifest.pages.flatMap((page) => {
          const own = counts.filter((row) => row.app === manifest.app && row.route === page.path);
          const shown = showExperiment(page, config.chosenVariants?.[page.path], own);
          return shown ? [{ app: manifest.app, page: page.path, ...shown }] : [];
        })
      : [],
  );
}

function showExperiment(
  { variants, outcomes }: PageEntry,
  choice: VariantChoice | undefined,
  counts: readonly ExperimentRow[],
): Omit<ExperimentShown, 'app' | 'page'> | null {
  if (!variants || !outcomes) return null;
  const drawn = chosenVariants(variants, choice);
  const chosen = choiceCount(drawn) === 1 ? (variantChoices(drawn)[0] ?? null) : null;
  // The counts that led to the choice are of the variants before it.
  const compared = chosen ? variants : drawn;
  const rows = counts.filter((row) => row.variants === experimentKey(compared));
  const choices = variantChoices(compared).map((of) => {
    const row = rows.find(({ choice: key }) => key === variantKey(of));
    return { choice: of, views: row?.views ?? 0, reached: row?.reached ?? {} };
  });
  const shown = outcomes.map(({ name }) => {
    const arms = choices.map(({ choice: of, views, reached }) => {
      return [of, { views, reached: reached[name] ?? 0 }] as const;
    });
    return { name, ...showStanding(compareArms(new Map(arms))) };
  });
  const views = choices.reduce((sum, each) => sum + each.views, 0);
  const says = chosen
    ? `ended: everyone sees ${choiceLabel(chosen)}`
    : views === 0
      ? 'no views yet'
      : [shown[0]?.says, `${views.toLocaleString('en-US')} views`, shown[0]?.is === 'open' && 'not decided']
          .filter(Boolean)
          .join(', ');
  const since = rows.map((row) => row.since.getTime());
  return {
    since: since.length > 0 ? new Date(Math.min(...since)).toISOString() : null,
    chosen,
    says,
    choices,
    outcomes: shown,
  };
}

type Shown = Omit<ExperimentShown['outcomes'][number], 'name'>;

function showStanding(standing: Standing<VariantChoice>): Shown {
  const none = { leader: null, lift: null, low: null, high: null, chance: null };
  if (standing.is === 'even') return { ...none, is: 'even', says: 'no difference' };
  if (standing.is === 'uneven')
    return { ...none, is: 'uneven', says: 'no comparison: far more views of one variant were counted' };
  const { is, leader, lead } = standing;
  const { lift, chance } = lead;
  const { low, high } = lead.interval();
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  const shown = { is, leader, lift: finite(lift), low, high: finite(high), chance };
  const by = Number.isFinite(lift) ? ` by ${percent(lift)} % ± ${percent(lift - low)}` : '';
  const luck = is === 'won' ? `, 1 in ${Math.floor(1 / chance).toLocaleString('en-US')} by chance` : '';
  return { ...shown, says: `${choiceLabel(leader)} ${is === 'won' ? 'wins' : 'leads'}${by}${luck}` };
}

const percent = (of: number) => Math.round(100 * of).toLocaleString('en-US');

/** Such as "B", or "headline=long" if the values are words. */
function choiceLabel(choice: VariantChoice): string {
  const [value = '', ...others] = Object.values(choice);
  return others.length === 0 && value.length === 1 ? value.toUpperCase() : variantKey(choice);
}
