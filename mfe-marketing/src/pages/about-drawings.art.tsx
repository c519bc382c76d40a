import { art, type Art } from '@site/ui/art';
import { Leader } from '@site/ui/blocks/leader';
import { AssemblyLine, Brick, DashedLine, Drawing, OnFace, Plane } from '@site/ui/blocks/primitives';
import { PlacedBlock, Plate } from './block-plate.tsx';
import type { FeatureDrawingName } from './about-page.data.ts';

/** Two plates, one company. */
export const officesDrawing = art(
  <Drawing
    viewBox="-156 -140 312 252"
    title="Two plates joined by an assembly line: one for the office in the United States, one for the office in Colombia."
  >
    <Plate at={[-6, -2, 0]} columns={1} rows={1} />
    <PlacedBlock plate={[-6, -2, 0]} name="companies" column={0} row={0} />
    <DashedLine
      points={[
        [-3, -0.5, 0.2],
        [2.5, -0.5, 0.2],
      ]}
    />
    <Plate at={[2.5, -2, 0]} columns={1} rows={1} hue="signal" />
    <PlacedBlock plate={[2.5, -2, 0]} name="companies" column={0} row={0} />
    <Leader at={[-3, -1.6, 0.2]} to={[24, -96]} label="United States" />
    <Leader at={[2.6, 0.9, 0.2]} to={[-12, 78]} label="Colombia" />
  </Drawing>,
);

const tick = <path d="m9 12 6 7 12-14" strokeWidth="4" />;

export const featureDrawings: Record<FeatureDrawingName, Art> = {
  ready: art(
    <Drawing viewBox="-82 -96 164 156">
      <Brick hue="blue" at={[-2, -2, 0]} size={[4, 4, 0.4]} />
      <Brick hue="sun" at={[-1, -1, 0.4]} size={[2, 2, 1.2]} studs={false} />
      <Brick hue="signal" at={[-1, -1, 1.6]} size={[2, 2, 1.2]} />
      <OnFace face="left" at={[-1, 1, 1.6]}>
        {tick}
      </OnFace>
    </Drawing>,
  ),
  cloud: art(
    <Drawing viewBox="-82 -96 164 156">
      <AssemblyLine from={[-2, 2, -0.8]} to={1} />
      <AssemblyLine from={[2, 2, -0.8]} to={1} />
      <AssemblyLine from={[2, -2, -0.8]} to={1} />
      <Brick hue="blue" at={[-2, -2, 1]} size={[4, 4, 0.6]} />
      <Brick hue="paper" at={[-2, -1, 1.6]} size={[3, 2, 0.8]} />
      <Brick hue="paper" at={[-1, -1, 2.4]} size={[1, 1, 0.8]} />
    </Drawing>,
  ),
  isolated: art(
    <Drawing viewBox="-82 -96 164 156">
      <g className="hue-blue">
        <Plane
          face="top"
          points={[
            [-2, -2, 0],
            [2, -2, 0],
            [2, 2, 0],
            [-2, 2, 0],
          ]}
        />
        <Plane
          face="left"
          points={[
            [-2, -2, 0],
            [2, -2, 0],
            [2, -2, 2],
            [-2, -2, 2],
          ]}
        />
        <Plane
          face="right"
          points={[
            [-2, -2, 0],
            [-2, 2, 0],
            [-2, 2, 2],
            [-2, -2, 2],
          ]}
        />
      </g>
      <Brick hue="signal" at={[-1, -1, 0]} size={[2, 2, 1.2]} />
      <Brick hue="blue" at={[-2, 1.7, 0]} size={[4, 0.3, 0.7]} studs={false} />
      <Brick hue="blue" at={[1.7, -2, 0]} size={[0.3, 4, 0.7]} studs={false} />
    </Drawing>,
  ),
  available: art(
    // The plate is wider than the others but has the same left edge.
    <Drawing viewBox="-91 -104.6 173 164.6">
      <Brick hue="ink" at={[-3, -1.5, -0.4]} size={[6, 3, 0.4]} studs={false} />
      <Brick hue="sun" at={[-2.7, -0.8, 0]} size={[1.6, 1.6, 1.2]} />
      <Brick hue="sun" at={[-0.8, -0.8, 0]} size={[1.6, 1.6, 1.2]} />
      <DashedLine
        points={[
          [1.1, 0.8, 0],
          [1.1, 0.8, 1.2],
          [2.7, 0.8, 1.2],
          [2.7, 0.8, 0],
          [1.1, 0.8, 0],
        ]}
      />
      <DashedLine
        points={[
          [2.7, 0.8, 0],
          [2.7, -0.8, 0],
          [2.7, -0.8, 1.2],
          [2.7, 0.8, 1.2],
        ]}
      />
      <DashedLine
        points={[
          [1.1, 0.8, 1.2],
          [1.1, -0.8, 1.2],
          [2.7, -0.8, 1.2],
        ]}
      />
    </Drawing>,
  ),
};
