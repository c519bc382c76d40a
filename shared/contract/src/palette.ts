export interface Colour {
  light: string;
  dark: string;
}

/**
 * The site's colors for places without its stylesheets: pages of the edge and the forms service, emails,
 * images and the web manifest. Named like the custom properties in `shared/ui` (`base.css` and
 * `drawing.css`); a test compares them.
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

export function lightDark({ light, dark }: Colour): string {
  return `light-dark(${light}, ${dark})`;
}
