import { RadioGroup } from '@site/ui/choice-group';
import { Select } from '@site/ui/select';
import { useState } from 'react';
import { ActionButton } from '../../actions/action-button.tsx';
import { activate } from '../../actions/channel-actions.ts';
import { useConsole, useRead } from '../../data/use-console.ts';
import { Answered } from '../../parts/answered.tsx';
import { ShareSlider } from '../../parts/share-slider.tsx';
import styles from './start-canary.module.css';

const NEWEST = 20;
const STAGE_MINUTES = 30;

const WAYS = [5, 10, 25, 50, 100];

interface StartCanaryProps {
  app: string;
  live: string | null;
}

export function StartCanary({ app, live }: StartCanaryProps) {
  const { channel } = useConsole();
  const read = useRead('listVersions', { params: { app }, query: { limit: NEWEST, channel } });
  const [chosen, setChosen] = useState('');
  const [share, setShare] = useState(10);
  const [way, setWay] = useState('hand');
  const stages = WAYS.filter((each) => each > share);
  return (
    <Answered read={read} of="the versions">
      {({ versions }) => {
        const fitting = versions.filter(
          ({ version, quarantined, collectedAt }) => version !== live && !quarantined && collectedAt === null,
        );
        const version = fitting.find((each) => each.version === chosen)?.version ?? fitting[0]?.version;
        if (live === null || version === undefined) return <p>There is no other version.</p>;
        return (
          <div className={styles.start}>
            <Select
              label="Version"
              value={version}
              options={fitting.map((each) => ({ value: each.version, label: each.version }))}
              onChange={(event) => setChosen(event.target.value)}
            />
            <ShareSlider label="Share of visitors" value={share} onChange={setShare} />
            <RadioGroup
              label="Then"
              name="stages"
              value={way}
              onChange={setWay}
              options={[
                { value: 'hand', label: 'I will raise it myself' },
                {
                  value: 'stages',
                  label: `Automatically: ${stages.map((each) => `${each} %`).join(', ')}, every ${STAGE_MINUTES} min`,
                },
              ]}
            />
            <ActionButton
              label={`Start with ${share} %`}
              action={activate(channel, {
                app,
                version,
                share,
                ...(way === 'stages' ? { stages: { shares: stages, everyMinutes: STAGE_MINUTES } } : {}),
              })}
            />
          </div>
        );
      }}
    </Answered>
  );
}
