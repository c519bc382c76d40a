import { Brick, OnFace } from '@site/ui/blocks/primitives';

const cards = [
  ['hue-sun', 12],
  ['hue-signal', 60],
  ['hue-blue', 108],
] as const;

export function FrontendTile({
  at: [x, y, z],
  side,
}: {
  at: readonly [number, number, number];
  side: number;
}) {
  // The print is drawn at 8 units of 20.
  const scale = side / 8;
  return (
    <>
      <Brick hue="paper" at={[x, y, z]} size={[side, side, 0.3]} studs={false} />
      <OnFace face="top" at={[x, y, z + 0.3]}>
        <g transform={scale === 1 ? undefined : `scale(${scale})`}>
          <path d="M0 20h160" />
          <circle cx="11" cy="10" r="3.4" className="hue-signal" fill="var(--face-left)" />
          <circle cx="22" cy="10" r="3.4" className="hue-sun" fill="var(--face-left)" />
          <circle cx="33" cy="10" r="3.4" className="hue-blue" fill="var(--face-left)" />
          <path d="M12 36h62M12 48h44" strokeWidth="5" />
          <path className="hue-signal" d="M12 62h34v14H12z" fill="var(--face-left)" />
          <path className="hue-blue" d="M90 32h58v48H90z" fill="var(--face-top)" />
          <path className="hue-sun" d="m90 80 20-26 16 17 8-8 14 17z" fill="var(--face-top)" />
          {cards.map(([hue, left]) => (
            <g key={hue}>
              <path className="hue-paper" d={`M${left} 94h40v52h-40z`} fill="var(--face-top)" />
              <path d={`M${left + 7} 124h26M${left + 7} 134h16`} strokeWidth="2.4" />
              <path className={hue} d={`M${left + 7} 101h26v14h-26z`} fill="var(--face-top)" />
            </g>
          ))}
        </g>
      </OnFace>
    </>
  );
}
