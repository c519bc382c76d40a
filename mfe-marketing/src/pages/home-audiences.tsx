import { Link } from '@site/kit';
import { Definitions } from '@site/ui/definitions';
import { Icon } from '@site/ui/icon';
import { Picture } from '@site/ui/picture';
import { audiences } from './home-audiences.data.ts';
import { kitCovers } from './kit-covers.art.tsx';
import styles from './home-audiences.module.css';

export default function Audiences() {
  return (
    <ul className={styles.kits}>
      {audiences.map(({ name, path, cover, text, claims }) => (
        <li key={path} className={styles.kit}>
          <div className={`${styles.cover} ${styles[cover]}`}>
            <Picture art={kitCovers[cover]} />
          </div>
          <div className={styles.text}>
            <h3 className={styles.name}>
              <Link to={path}>{name}</Link>
              <Icon name="arrow-right" className={styles.arrow} />
            </h3>
            <p>{text}</p>
            <Definitions className={styles.claims} items={claims.map(({ value, label }) => [label, value])} />
          </div>
        </li>
      ))}
    </ul>
  );
}
