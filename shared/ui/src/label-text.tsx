/** A text in a drawing. Plain data, because it goes to the page as such. */
export interface LabelProps {
  /** Where its baseline begins (or has its middle, or its end), in user units of the drawing. */
  x: number;
  y: number;
  text: string;
  anchor?: 'middle' | 'end';
  /** `small`: a second, quieter line. `print`: a name on the side of a brick, where it carries its maker's. */
  kind?: 'small' | 'print';
  /** How many of the part; in front of the text. */
  count?: number;
  /** Lays it onto a face: see `onFace`. */
  transform?: string;
}

/** A text over the picture of a drawing. */
export function LabelText({ x, y, text, anchor, kind, count, transform }: LabelProps) {
  return (
    <text x={x} y={y} textAnchor={anchor} className={kind && `art-${kind}`} transform={transform}>
      {count !== undefined && <tspan className="art-count">{count} × </tspan>}
      {text}
    </text>
  );
}
