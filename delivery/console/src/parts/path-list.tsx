import { Paged } from './paged.tsx';
import styles from './path-list.module.css';

/** Renders nothing without paths. */
export function PathList({ title, paths }: { title: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <div>
      <h3 className={styles.title}>{title}</h3>
      <Paged rows={paths} of={title.toLowerCase()} textOf={(path) => path}>
        {(shown) => (
          <ul className={styles.paths}>
            {shown.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </div>
  );
}
