import { variantKey } from '@site/contract/variants';
import { ActionButton } from '../actions/action-button.tsx';
import { endExperiment } from '../actions/experiment-actions.ts';
import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp } from '../layout/to-view.tsx';
import { At } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { count } from '../parts/text.ts';
import { Table } from '../parts/table.tsx';
import { Part, View } from '../parts/view.tsx';

type Experiment = AnswerTo<'readExperiments'>['experiments'][number];

export function ExperimentsView() {
  const { channel } = useConsole();
  const read = useRead('readExperiments', { params: { channel }, query: {} });
  return (
    <View title={`Experiments on ${channel}`}>
      <p>
        Views that reached an outcome, by variant. The first outcome decides. Read it as often as you like: a
        variant that is not better wins in at most 1 of 100 experiments. ± is the distance to the lower end of
        the 99% interval.
      </p>
      <Answered read={read} of="the experiments">
        {({ experiments }) =>
          experiments.length === 0 ? (
            <p>No live page declares outcomes for its variants.</p>
          ) : (
            experiments.map((experiment) => <Shown key={experiment.page} experiment={experiment} />)
          )
        }
      </Answered>
    </View>
  );
}

function Shown({
  experiment: { app, page, since, chosen, says, choices, outcomes },
}: {
  experiment: Experiment;
}) {
  const { channel } = useConsole();
  return (
    <Part title={page}>
      <p>
        <strong>{says}</strong>
      </p>
      <p>
        <ToApp app={app} />
        {since !== null && (
          <>
            {' '}
            since <At at={since} />
          </>
        )}
      </p>
      <Table
        caption={`Variants of ${page}`}
        columns={['Variant', 'Views', ...outcomes.map(({ name }) => name), 'Actions']}
        rows={choices.map(({ choice, views, reached }) => {
          const variant = variantKey(choice);
          return [
            variant,
            count(views),
            ...outcomes.map(({ name }) => rateText(reached[name] ?? 0, views)),
            chosen === null ? (
              <ActionButton
                key="end"
                label="Show to everyone"
                about={`${variant} of ${page}`}
                action={endExperiment(channel, page, choice, says)}
              />
            ) : variantKey(chosen) === variant ? (
              'everyone sees it'
            ) : (
              '–'
            ),
          ];
        })}
      />
      <ul>
        {outcomes.map((outcome) => (
          <li key={outcome.name}>
            {outcome.name}: {outcome.says}
          </li>
        ))}
      </ul>
    </Part>
  );
}

const rateText = (reached: number, views: number) =>
  views === 0 ? '–' : `${((100 * reached) / views).toFixed(1)} % (${count(reached)})`;
