import type { ReactNode } from 'react';
import { NavLink, Page } from '@site/kit';
import { MailLink } from '@site/ui/mail-link';
import { Prose } from '@site/ui/prose';
import { policies } from './policies.data.ts';
import { useCurrentSection } from './use-current-section.ts';
import styles from './policy-page.module.css';

export interface PolicySection {
  /** The anchor. It is independent of the title, so that links keep working when the title changes. */
  id: string;
  title: string;
  content: ReactNode;
}

export interface PolicyPageProps {
  title: string;
  lead: string;
  effective?: string;
  summary?: ReactNode;
  sections: readonly PolicySection[];
}

/** Of the policies for this website. Change it with their texts. */
const UPDATED = 'November 28, 2026';

export function PolicyPage({ title, lead, effective, summary, sections }: PolicyPageProps) {
  const current = useCurrentSection(sections.map(({ id }) => id));
  return (
    <Page title={title} description={lead}>
      <div className={`wrap ${styles.layout}`}>
        <nav className={styles.policies} aria-label="Policies">
          <p className="label">Policies</p>
          <ul>
            {policies.map((policy) => (
              <li key={policy.path}>
                <NavLink to={policy.path}>{policy.title}</NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <header className={styles.header}>
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
          <p className={styles.effective}>
            {effective ? `Effective ${effective}` : `Last updated ${UPDATED}`}
          </p>
        </header>
        <nav className={styles.contents} aria-labelledby="contents-title">
          <h2 className="label" id="contents-title">
            On this page
          </h2>
          <ol>
            {sections.map(({ id, title: heading }) => (
              <li key={id}>
                <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <article className={styles.text}>
          {summary}
          <Prose>
            {sections.map(({ id, title: heading, content }) => (
              <section key={id} id={id} aria-labelledby={`${id}-title`} className={styles.section}>
                <h2 id={`${id}-title`}>{heading}</h2>
                {content}
              </section>
            ))}
          </Prose>
          <p className={styles.questions}>
            Questions? Email <MailLink />.
          </p>
        </article>
      </div>
    </Page>
  );
}
