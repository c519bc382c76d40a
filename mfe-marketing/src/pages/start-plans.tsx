import { Badge } from '@site/ui/badge';
import { ButtonLink } from '@site/ui/button';
import { formatPrice, planParts, plans, type Plan } from './start-page.data.ts';
import styles from './start-plans.module.css';

export function StartPlans({ signUp }: { signUp: string | undefined }) {
  return (
    <div className={styles.plans}>
      {plans.map((plan) => (
        <article key={plan.name} className={styles.plan}>
          <header className={styles.head}>
            <h3 className={styles.name}>{plan.name}</h3>
            {plan.offer && <Badge tone="sun">{plan.offer}</Badge>}
          </header>
          <Price plan={plan} />
          <div className={styles.text}>
            <p>{plan.text}</p>
            <p>
              <b>Choose it if:</b> {plan.choose}
            </p>
          </div>
          <ul className={styles.parts} aria-label={`The ${plan.name} plan lists`}>
            {planParts.map(({ count, name }) => (
              <li key={name}>
                <b>{count} ×</b> {name}
              </li>
            ))}
          </ul>
          <ButtonLink
            href={signUp && `${signUp}?plan=${plan.id}`}
            variant={plan.offer ? 'primary' : 'secondary'}
            className={styles.action}
          >
            Choose {plan.name}
          </ButtonLink>
        </article>
      ))}
    </div>
  );
}

function Price({ plan: { price, regular, from } }: { plan: Plan }) {
  return (
    <div>
      <p className={styles.price}>
        {from && <span className={styles.from}>from </span>}
        <span className={styles.amount}>{formatPrice(price)}</span>
        <span className={styles.per}> per month</span>
      </p>
      <p className={styles.regular}>
        {regular === undefined ? (
          'Starting price'
        ) : (
          <>
            Regular price <s>{formatPrice(regular)}</s>
          </>
        )}
      </p>
    </div>
  );
}
