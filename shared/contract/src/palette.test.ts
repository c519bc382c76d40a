import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lightDark, palette } from './palette.ts';

const styles = join(import.meta.dirname, '../../ui/src');

/** The custom properties of every page, with their values. */
function customProperties(): Map<string, string> {
  const css = ['drawing.css', 'base.css'].map((name) => readFileSync(join(styles, name), 'utf8')).join('\n');
  const roots = [...css.matchAll(/^ *:root \{([^}]*)\}/gm)].map(([, rules = '']) => rules);
  return new Map(
    [...roots.join('\n').matchAll(/--([a-z-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

const declared = customProperties();

test.each(Object.entries(palette))("%s equals the value in the site's stylesheets", (name, colour) => {
  expect(declared.get(name)).toBe(lightDark(colour));
});
