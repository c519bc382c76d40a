/** A remote in a repository of its own, by path: a page with a component, a drawing and a style, of ours and of its own. */
export const careers: Readonly<Record<string, string>> = {
  'remote.config.ts': `import { defineRemote } from '@site/contract';

export default defineRemote({
  name: 'mfe-careers',
  owner: 'people',
  pages: [{ path: '/careers', page: './src/pages/careers-page.tsx', card: 'Work with us' }],
  redirects: [],
});
`,
  'src/pages/bridge.art.tsx': `import { art } from '@site/ui/art';
import { Brick, Drawing } from '@site/ui/blocks/primitives';

export const bridge = art(
  <Drawing viewBox="0 0 40 20">
    <Brick hue="blue" at={[0, 0, 0]} size={[1, 1, 1]} />
  </Drawing>,
);
`,
  'src/pages/careers-page.module.css': '.line { color: var(--signal-text); }\n',
  'src/pages/careers-page.tsx': `import { Link, Page } from '@site/kit';
import { finishedScene } from '@site/ui/blocks/finished-scene.art';
import { Hero } from '@site/ui/hero';
import { Picture } from '@site/ui/picture';
import { bridge } from './bridge.art.tsx';
import styles from './careers-page.module.css';

export default function CareersPage() {
  return (
    <Page title="Careers" description="Work with us, from where you live.">
      <Hero title="Careers" figure={<Picture first art={finishedScene} />} />
      <p className={styles['line']}>
        <Picture art={bridge} /> <Link to="/about-us">Who we are</Link>
      </p>
    </Page>
  );
}
`,
  'tsconfig.json': `{
  "extends": "@site/build/tsconfig.json",
  "compilerOptions": { "types": ["node"], "skipLibCheck": false },
  "files": [],
  "include": ["remote.config.ts", "src", "node_modules/@site/build/assets.d.ts"]
}
`,
};

/** Its `package.json`. @param versions of packages that it has, by their names. */
export function careersPackage(versions: Readonly<Record<string, string>>): Record<string, string> {
  const json = {
    name: 'mfe-careers',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: versions,
  };
  return { 'package.json': `${JSON.stringify(json, null, 2)}\n` };
}
