import type { ReactNode } from 'react';
import type { BlockName } from './block-name.ts';
import { Brick, Cylinder, OnFace, Plane } from './primitives.tsx';

const tick = <path d="m3 6.5 2.5 2.5 4.5-5.5" strokeWidth="2" />;

export const glyphs: Record<BlockName, () => ReactNode> = {
  companies: () => (
    <>
      <Brick hue="blue" at={[0, 0, 0]} size={[1, 1, 2.7]} />
      <Brick hue="paper" at={[1, 0, 0]} size={[1, 1, 1.3]} />
      <Brick hue="sun" at={[0, 1, 0]} size={[1, 1, 1.7]} />
      <Windows face="left" at={[0, 2, 1.7]} rows={2} />
      <Windows face="left" at={[1, 1, 1.3]} rows={2} />
      <Windows face="right" at={[1, 2, 1.7]} rows={2} />
      <Windows face="right" at={[2, 1, 1.3]} rows={2} />
      <Windows face="left" at={[0, 1, 2.7]} rows={1} />
      <Windows face="right" at={[1, 1, 2.7]} rows={2} />
    </>
  ),

  'file-management': () => (
    <>
      <Brick hue="paper" studs={false} at={[0.1, 0.1, 0]} size={[1.9, 1.9, 0.45]} />
      <Brick hue="blue" studs={false} at={[0.1, 0.1, 0.75]} size={[1.9, 1.9, 0.45]} />
      <Brick hue="sun" studs={false} at={[0.1, 0.1, 1.5]} size={[1.9, 1.9, 0.45]} />
      {[0.45, 1.2, 1.95].map((z) => (
        <OnFace key={z} face="left" at={[0.1, 2, z]}>
          <rect x="13" y="2.5" width="12" height="4" rx="1" fill="var(--paper)" />
        </OnFace>
      ))}
    </>
  ),

  forms: () => (
    <>
      <Brick hue="paper" studs={false} at={[0, 0, 0]} size={[2.1, 2.1, 0.7]} />
      <OnFace face="top" at={[0, 0, 0.7]}>
        {[5, 17, 29].map((y, index) => (
          <g key={y}>
            <rect
              x="5"
              y={y}
              width="8.5"
              height="8.5"
              className={index < 2 ? 'hue-signal' : 'hue-paper'}
              fill="var(--face-top)"
            />
            <path d={`M18 ${y + 4.2}h${[19, 14, 17][index]}`} strokeWidth="3" />
          </g>
        ))}
        <g transform="translate(3.2 3.2)">{tick}</g>
        <g transform="translate(3.2 15.2)">{tick}</g>
      </OnFace>
    </>
  ),

  auth: () => (
    <>
      <Brick hue="sun" studs={false} at={[0.1, 0.6, 0]} size={[1.9, 1, 1.4]} />
      <OnFace face="left" at={[0.1, 1.6, 1.4]}>
        <path
          d="M19 7.5a4.2 4.2 0 0 1 2 7.9l1.2 6.6h-6.4l1.2-6.6a4.2 4.2 0 0 1 2-7.9z"
          fill="var(--draw)"
          strokeWidth="1"
        />
      </OnFace>
      <OnFace face="left" at={[0.1, 1.1, 1.4]}>
        <path d="M9 0v-12a10 10 0 0 1 20 0V0" strokeWidth="8.5" strokeLinecap="butt" />
        <path
          d="M9 .7V-12a10 10 0 0 1 20 0V.7"
          strokeWidth="5.5"
          stroke="var(--sheet)"
          strokeLinecap="butt"
        />
      </OnFace>
    </>
  ),

  geolocation: () => (
    <>
      <Brick hue="blue" studs={false} at={[0, 0, 0]} size={[2.1, 2.1, 0.35]} />
      <OnFace face="top" at={[0, 0, 0.35]}>
        <path d="M0 14h42M0 29h42M13 0v42M29 0v42" strokeWidth="1" />
        <path className="hue-sun" d="M29 14h13v15H29z" fill="var(--face-top)" strokeWidth="1" />
        <ellipse cx="20" cy="20" rx="6" ry="6" fill="var(--draw)" stroke="none" />
      </OnFace>
      <g className="hue-signal">
        <path d="M0 13C-4-5-17-11-17-25a17 17 0 0 1 34 0C17-11 4-5 0 13z" fill="var(--face-left)" />
        <circle cx="0" cy="-25" r="7" fill="var(--paper)" />
      </g>
    </>
  ),

  jarvis: () => (
    <>
      {[0.35, 0.85, 1.35].map((at) => (
        <g key={at} className="hue-paper">
          <Brick studs={false} at={[at, -0.3, 0.1]} size={[0.25, 0.5, 0.2]} />
          <Brick studs={false} at={[-0.3, at, 0.1]} size={[0.5, 0.25, 0.2]} />
        </g>
      ))}
      <Brick hue="ink" studs={false} at={[0, 0, 0.1]} size={[2, 2, 0.7]} />
      {[0.35, 0.85, 1.35].map((at) => (
        <g key={at} className="hue-paper">
          <Brick studs={false} at={[at, 2, 0.1]} size={[0.25, 0.35, 0.2]} />
          <Brick studs={false} at={[2, at, 0.1]} size={[0.35, 0.25, 0.2]} />
        </g>
      ))}
      <Brick hue="sun" studs={false} at={[0.45, 0.45, 0.8]} size={[1.1, 1.1, 0.35]} />
      <OnFace face="top" at={[0.45, 0.45, 1.15]}>
        <path d="M5 11 11 5l6 6-6 6zM5 11h12" />
        {[
          [5, 11],
          [11, 5],
          [17, 11],
          [11, 17],
        ].map(([cx, cy]) => (
          <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r="2" fill="var(--draw)" stroke="none" />
        ))}
      </OnFace>
    </>
  ),

  journey: () => (
    <>
      <Brick hue="blue" studs={false} at={[0, 0.2, 0]} size={[0.7, 1.7, 1.9]} />
      <Brick hue="blue" studs={false} at={[0.7, 0.2, 0]} size={[0.7, 1.7, 1.25]} />
      <Brick hue="blue" studs={false} at={[1.4, 0.2, 0]} size={[0.7, 1.7, 0.6]} />
      <path d="M-11-27v-24" strokeWidth="2" />
      <path className="hue-signal" d="M-11-51 7-45l-18 7z" fill="var(--face-left)" />
    </>
  ),

  onboarding: () => (
    <>
      <Brick hue="paper" studs={false} at={[0.1, 0.1, 0]} size={[1.9, 0.8, 2.3]} />
      <OnFace face="left" at={[0.1, 0.9, 2.3]}>
        <path d="M9 46V19a10 10 0 0 1 20 0v27z" className="hue-ink" fill="var(--face-right)" />
        <path className="hue-signal" d="M9 46V14l13 7v30z" fill="var(--face-left)" />
        <circle cx="18.5" cy="34" r="1.2" fill="var(--draw)" stroke="none" />
      </OnFace>
      <Brick hue="sun" studs={false} at={[0.55, 0.9, 0]} size={[1, 1.3, 0.15]} />
    </>
  ),

  products: () => (
    <>
      <g className="hue-sun">
        <Plane
          face="right"
          points={[
            [0.2, 0.2, 1.3],
            [2, 0.2, 1.3],
            [2, 0.2, 0.7],
            [0.2, 0.2, 0.7],
          ]}
        />
        <Plane
          face="left"
          points={[
            [0.2, 0.2, 1.3],
            [0.2, 2, 1.3],
            [0.2, 2, 0.7],
            [0.2, 0.2, 0.7],
          ]}
        />
      </g>
      <Brick hue="signal" at={[0.6, 0.6, 0.9]} size={[1, 1, 1.1]} />
      <g className="hue-sun">
        <Plane
          face="left"
          points={[
            [0.2, 2, 0],
            [2, 2, 0],
            [2, 2, 1.3],
            [0.2, 2, 1.3],
          ]}
        />
        <Plane
          face="right"
          points={[
            [2, 0.2, 0],
            [2, 2, 0],
            [2, 2, 1.3],
            [2, 0.2, 1.3],
          ]}
        />
        <Plane
          face="top"
          points={[
            [0.2, 2, 1.3],
            [2, 2, 1.3],
            [2, 2.65, 1],
            [0.2, 2.65, 1],
          ]}
        />
        <Plane
          face="top"
          points={[
            [2, 0.2, 1.3],
            [2, 2, 1.3],
            [2.65, 2, 1],
            [2.65, 0.2, 1],
          ]}
        />
      </g>
    </>
  ),

  'real-time': () => (
    <>
      <Brick hue="blue" studs={false} at={[0, 0, 0]} size={[2, 2, 0.8]} />
      <OnFace face="left" at={[0, 2, 0.8]}>
        <path d="M4 9h8l3-5 5 9 4-6 2 2h10" strokeWidth="2" />
      </OnFace>
      <Cylinder hue="paper" at={[1, 1, 0.8]} radius={0.18} height={1.1} />
      <circle className="hue-signal" cx="0" cy="-22" r="6" fill="var(--face-left)" />
      <g strokeWidth="2.6" stroke="var(--signal)">
        <path d="M-12-32a16 16 0 0 0 0 20M12-32a16 16 0 0 1 0 20" />
        <path d="M-21-40a29 29 0 0 0 0 36M21-40a29 29 0 0 1 0 36" />
      </g>
    </>
  ),

  rewards: () => (
    <>
      <g className="hue-sun">
        {[0, 0.35, 0.7, 1.05, 1.4].map((z) => (
          <Cylinder key={z} at={[0.6, 1.2, z]} radius={0.75} height={0.35} />
        ))}
        {[0, 0.35].map((z) => (
          <Cylinder key={z} at={[1.75, 0.95, z]} radius={0.75} height={0.35} />
        ))}
      </g>
      <OnFace face="top" at={[0.6, 1.2, 1.75]}>
        <path
          className="hue-signal"
          d="m0-10 2.8 6 6.5.8-4.9 4.5 1.4 6.5L0 4.8l-5.8 3 1.4-6.5-4.9-4.5 6.5-.8z"
          fill="var(--face-left)"
          strokeWidth="1"
        />
      </OnFace>
    </>
  ),

  sales: () => (
    <>
      <Brick hue="blue" studs={false} at={[0, 0.4, 0]} size={[0.7, 1.2, 0.6]} />
      <Brick hue="sun" studs={false} at={[0.7, 0.4, 0]} size={[0.7, 1.2, 1.3]} />
      <Brick hue="signal" studs={false} at={[1.4, 0.4, 0]} size={[0.7, 1.2, 2.1]} />
      <path d="m-30-16 22-24m-10-1 10.5 0 .2 10.5" strokeWidth="2.6" />
    </>
  ),

  search: () => (
    <>
      <Brick hue="paper" at={[0, 0, 0]} size={[2, 2, 0.5]} />
      <g strokeLinecap="butt">
        <path d="m12-8 17 17" strokeWidth="11" strokeLinecap="round" />
        <path d="m12-8 17 17" strokeWidth="8" strokeLinecap="round" stroke="var(--signal)" />
        <circle cx="-3" cy="-23" r="19" strokeWidth="8.5" fill="var(--blue-tint)" fillOpacity=".78" />
        <circle cx="-3" cy="-23" r="19" strokeWidth="5.5" stroke="var(--signal)" />
        <path d="M-13-26a11 11 0 0 1 8-8" strokeWidth="2.4" strokeLinecap="round" />
      </g>
    </>
  ),

  university: () => (
    <>
      <Brick hue="blue" studs={false} at={[0.4, 0.4, 0]} size={[1.3, 1.3, 0.9]} />
      <Brick hue="ink" studs={false} at={[-0.15, -0.15, 1]} size={[2.4, 2.4, 0.2]} />
      <Cylinder hue="sun" at={[1.05, 1.05, 1.2]} radius={0.15} height={0.15} />
      <path d="M0-5 30-3v22" stroke="var(--draw)" strokeWidth="3.4" />
      <path d="M0-5 30-3v22" stroke="var(--sun)" strokeWidth="1.6" />
      <path className="hue-sun" d="M26.5 19h7v9h-7z" fill="var(--face-top)" />
    </>
  ),

  content: () => (
    <>
      <Brick hue="paper" studs={false} at={[0, 0.6, 0]} size={[2.1, 0.5, 2.3]} />
      <OnFace face="left" at={[0, 1.1, 2.3]}>
        <path className="hue-blue" d="M5 5h32v17H5z" fill="var(--face-top)" />
        <path className="hue-sun" d="m5 22 9-10 7 7 5-4 11 7z" fill="var(--face-top)" />
        <circle cx="30" cy="10" r="2.5" className="hue-signal" fill="var(--face-left)" />
        <path d="M5 28h30M5 33.500h32M5 39h20" strokeWidth="2.4" />
      </OnFace>
    </>
  ),
};

function Windows({
  face,
  at,
  rows,
}: {
  face: 'left' | 'right';
  at: readonly [number, number, number];
  rows: number;
}) {
  const panes = Array.from(
    { length: rows },
    (_, row) => `M4 ${5 + row * 9}h4v5h-4zM12 ${5 + row * 9}h4v5h-4z`,
  );
  return (
    <OnFace face={face} at={at}>
      <path d={panes.join('')} fill="var(--paper)" strokeWidth="1" />
    </OnFace>
  );
}
