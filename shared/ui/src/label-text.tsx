/** A text in a drawing. Plain data, because the page bundle contains it. */
export interface LabelProps {
  x: number;
  y: number;
  text: string;
  anchor?: 'middle' | 'end';
  /** `small`: a second, smaller line. `print`: a name on the side of a brick, in the place of the maker's name. */
  kind?: 'small' | 'print';
  count?: number;
  transform?: string;
}

export function LabelText({ x, y, text, anchor, kind, count, transform }: LabelProps) {
  return (
    <text x={x} y={y} textAnchor={anchor} className={kind && `art-${kind}`} transform={transform}>
      {count !== undefined && <tspan className="art-count">{count} × </tspan>}
      {text}
    </text>
  );
}
