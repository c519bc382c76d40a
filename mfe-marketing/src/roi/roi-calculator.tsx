import { useRef, useState, type ReactNode } from 'react';
import { Button } from '@site/ui/button';
import { copyText } from '@site/ui/copy-text';
import { LiveRegion, Notice } from '@site/ui/notice';
import { ToggleGroup } from '@site/ui/toggle-group';
import { calculateRoi } from './calculate-roi.ts';
import { formatDollars, formatRange } from './format-roi.ts';
import type { RoiFieldKey, RoiValues } from './roi-fields.ts';
import { RoiInput } from './roi-input.tsx';
import type { RoiPeriod } from './roi-query.ts';
import { RoiResults } from './roi-results.tsx';
import { RoiTable } from './roi-table.tsx';
import { useRoiCalculator, type RoiCalculator as State } from './use-roi-calculator.ts';
import styles from './roi-calculator.module.css';

export default function RoiCalculator() {
  const panel = useRef<HTMLDivElement>(null);
  const state = useRoiCalculator(panel);
  const { period, settled } = state;
  const result = calculateRoi(state.values);
  return (
    <div className={styles.panel} ref={panel}>
      <div className={styles.bar}>
        <h3>ROI Calculator</h3>
        <ToggleGroup
          label="Period of the results"
          value={period}
          options={[
            { value: 'month', label: 'Per month' },
            { value: 'year', label: 'Per year' },
          ]}
          onChange={state.showPeriod}
        />
      </div>
      <p className={styles.noScript}>
        Calculating with your own figures needs JavaScript. What you see is the example: four projects a
        month.
      </p>
      {settled.problems.length > 0 && (
        <div className={styles.problems}>
          <Notice tone="error" title="This link has invalid figures. The example figures replace them.">
            <ul>
              {settled.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      <div className={styles.columns}>
        <Agency state={state} />
        <div className={styles.results}>
          <RoiResults result={result} values={state.values} period={period} />
          <ShareAndReset state={state} />
          <Method />
        </div>
        <Assumptions state={state} />
      </div>
      <div className={styles.foot}>
        <RoiTable result={result} />
      </div>
      <InSight state={state} />
      <Spoken state={state} />
    </div>
  );
}

function renderField(state: State) {
  return (name: RoiFieldKey, options: { label?: string; slider?: boolean } = {}) => (
    <RoiInput
      name={name}
      text={state.texts[name]}
      value={state.values[name]}
      error={state.errors[name]}
      onChange={(text) => state.change(name, text)}
      {...options}
    />
  );
}

function Agency({ state }: { state: State }) {
  const field = renderField(state);
  return (
    <fieldset className={styles.agency}>
      <legend>Your agency</legend>
      <p className={styles.note}>Example figures. Enter your own.</p>
      {field('projects', { slider: true })}
      {field('hours', { slider: true })}
      {field('cost', { slider: true })}
      {field('price', { slider: true })}
    </fieldset>
  );
}

function Assumptions({ state }: { state: State }) {
  const field = renderField(state);
  return (
    <fieldset className={styles.assumptions}>
      <legend>Assumptions</legend>
      <p className={styles.note}>Our figures for agencies. Change any of them.</p>
      <div className={styles.pair}>
        {field('timeSaved')}
        {field('plan')}
      </div>
      <Range legend="More projects per month">
        {field('moreLow', { label: 'From' })}
        {field('moreHigh', { label: 'To' })}
      </Range>
      <Range legend="Premium rate increase">
        {field('rateLow', { label: 'From' })}
        {field('rateHigh', { label: 'To' })}
      </Range>
      <Range legend="Stated monthly revenue impact, to compare with">
        {field('claimLow', { label: 'From' })}
        {field('claimHigh', { label: 'To' })}
      </Range>
    </fieldset>
  );
}

function Range({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={styles.range}>
      <legend>{legend}</legend>
      <div className={styles.pair}>{children}</div>
    </fieldset>
  );
}

function ShareAndReset({ state }: { state: State }) {
  const [told, setTold] = useState({ address: '', text: '' });
  const { address } = state;
  const copyButton = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    const isCopied = await copyText(new URL(address, location.href).href);
    setTold({ address, text: isCopied ? 'Link copied' : 'Copying is not allowed here' });
  };
  const reset = () => {
    state.reset();
    // The pressed button is removed, so move the focus.
    copyButton.current?.focus();
  };
  return (
    <div className={`row ${styles.actions}`}>
      <Button size="small" icon="copy" ref={copyButton} onClick={() => void copy()}>
        Copy link to these figures
      </Button>
      {state.changed && (
        <Button size="small" variant="quiet" onClick={reset}>
          Back to the example
        </Button>
      )}
      <LiveRegion>{told.address === address && told.text}</LiveRegion>
    </div>
  );
}

/** Keeps the result in sight while a visitor edits on a phone. The live region announces the same. */
function InSight({ state: { values, period } }: { state: State }) {
  return (
    <p className={styles.inSight} aria-hidden="true">
      <span>Extra revenue</span> <b>{extraRevenue(values, period)}</b>
    </p>
  );
}

function extraRevenue(values: RoiValues, period: RoiPeriod): string {
  const { low, high } = calculateRoi(values);
  const months = period === 'year' ? 12 : 1;
  return formatRange(low.extraRevenue * months, high.extraRevenue * months, formatDollars);
}

/** Announces the result once the visitor pauses, not on each keystroke. */
function Spoken({ state: { settled } }: { state: State }) {
  const extra = extraRevenue(settled.values, settled.period);
  return (
    <LiveRegion className="visually-hidden">{`Extra revenue per ${settled.period}: ${extra}`}</LiveRegion>
  );
}

function Method() {
  return (
    <div className={styles.method}>
      <h4>How it is calculated</h4>
      <ul>
        <li>Blocks cut the hours of each project by the share above.</li>
        <li>More projects use the freed hours only. You hire no one.</li>
        <li>
          Higher rates apply to every project. Your team’s pay stays the same, so freed hours save no cost.
        </li>
        <li>The low end combines all low figures, the high end all high ones. A year is 12 months.</li>
      </ul>
      <p>An estimate, not a promise. Taxes and sales effort are not included.</p>
    </div>
  );
}
