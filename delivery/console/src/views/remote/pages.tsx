import { useRead } from '../../data/use-console.ts';
import { Answered } from '../../parts/answered.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Part } from '../../parts/view.tsx';

export function Pages({ app, version }: { app: string; version: string }) {
  const read = useRead('readVersion', { params: { app, version } });
  return (
    <Part title="Pages">
      <Answered read={read} of="the pages">
        {(manifest) =>
          manifest.kind === 'remote' && manifest.pages.length > 0 ? (
            <Paged rows={manifest.pages} of="pages" textOf={({ path }) => path}>
              {(shown) => (
                <ul className="row">
                  {shown.map(({ path }) => (
                    <li key={path}>
                      <code>{path}</code>
                    </li>
                  ))}
                </ul>
              )}
            </Paged>
          ) : (
            <p>It has no pages of its own.</p>
          )
        }
      </Answered>
    </Part>
  );
}
