/** A colour by day and by night. */
export interface Colour {
  light: string;
  dark: string;
}

/**
 * The site's colours where its stylesheets are not: in pages of the edge and the forms service, in mails, images and the
 * web manifest. Named as their custom properties in `shared/ui` (`base.css` and `drawing.css`), to which a test holds them.
 */
export const palette = {
  paper: { light: '#faf8f3', dark: '#0c1a36' },
  sheet: { light: '#fffefb', dark: '#12244a' },
  ink: { light: '#16130f', dark: '#eef4ff' },
  muted: { light: '#5c5548', dark: '#aabde0' },
  edge: { light: '#857b6a', dark: '#6d8ac4' },
  rule: { light: '#16130f', dark: '#9cb8ee' },
  signal: { light: '#cf3711', dark: '#ff7d5a' },
  'on-signal': { light: '#fffefb', dark: '#0c1a36' },
  'signal-text': { light: '#b8320f', dark: '#ff9274' },
  link: { light: '#1c4a9e', dark: '#9cc2ff' },
} as const satisfies Record<string, Colour>;

/** A colour in CSS: the `color-scheme` of an element chooses. */
export function lightDark({ light, dark }: Colour): string {
  return `light-dark(${light}, ${dark})`;
}
