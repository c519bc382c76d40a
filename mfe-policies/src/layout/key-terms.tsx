import styles from './key-terms.module.css';

export interface KeyTerm {
  value: string;
  label: string;
  section: string;
}

export function KeyTerms({ terms }: { terms: readonly KeyTerm[] }) {
  return (
    <section className={styles.box} aria-labelledby="key-terms">
      <h2 className="label" id="key-terms">
        The figures at a glance
      </h2>
      <dl className={styles.list}>
        {terms.map(({ value, label, section }) => (
          <div key={section} className={styles.term}>
            <dt>
              <a href={`#${section}`}>{label}</a>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
