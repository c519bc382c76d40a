import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './chart.module.css';

interface ChartProps {
  title: string;
  range: readonly [number, number];
  times: readonly string[];
  lines: readonly { name: string; values: readonly (number | null)[] }[];
}

const HEIGHT = 180;
const formatHour = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 16);

const DASHES = [[], [6, 3], [2, 3]];

/** A line chart. The table next to it has the same data, so for screen readers this is a labeled image. */
export function Chart({ title, range: [from, to], times, lines }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (!box) return undefined;
    const draw = () => {
      const colour = (name: string) => getComputedStyle(box).getPropertyValue(name).trim();
      // light-dark() values are resolved on an element that uses them.
      const [ink, grid, link, signal] = [
        'color',
        'outline-color',
        'text-decoration-color',
        'caret-color',
      ].map(colour);
      const strokes = [link ?? '', signal ?? '', ink ?? ''];
      const axis = {
        stroke: ink ?? '',
        grid: { stroke: grid ?? '', width: 1 },
        ticks: { stroke: grid ?? '', width: 1 },
      };
      return new UPlot(
        {
          width: Math.max(box.clientWidth, 200),
          height: HEIGHT,
          legend: { show: false },
          cursor: { show: false },
          scales: {
            x: { range: [from / 1000, to / 1000] },
            y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
          },
          axes: [
            { ...axis, values: (_chart, splits) => splits.map(formatHour) },
            { ...axis, size: 56 },
          ],
          tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
          series: [
            {},
            ...lines.map(({ name, values }, index) => ({
              label: name,
              stroke: strokes[index % strokes.length] ?? '',
              width: 2,
              dash: DASHES[Math.floor(index / strokes.length) % DASHES.length] ?? [],
              // A single value has no line, so show a point.
              points: { show: values.filter((value) => value !== null).length < 2 },
              spanGaps: true,
            })),
          ],
        },
        [times.map((at) => Date.parse(at) / 1000), ...lines.map(({ values }) => [...values])],
        box,
      );
    };
    let chart = draw();
    const again = () => {
      chart.destroy();
      chart = draw();
    };
    const sized = new ResizeObserver(() =>
      chart.setSize({ width: Math.max(box.clientWidth, 200), height: HEIGHT }),
    );
    sized.observe(box);
    const night = matchMedia('(prefers-color-scheme: dark)');
    night.addEventListener('change', again);
    return () => {
      sized.disconnect();
      night.removeEventListener('change', again);
      chart.destroy();
    };
  }, [from, to, times, lines]);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.title}>{title}</figcaption>
      <div
        ref={place}
        className={styles.place}
        role="img"
        aria-label={`${title}: see the table below for the numbers`}
      />
      <ul className={styles.names}>
        {lines.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </figure>
  );
}
