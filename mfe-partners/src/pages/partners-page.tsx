import { Page, useBrand } from '@site/kit';
import { Definitions } from '@site/ui/definitions';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { MailLink } from '@site/ui/mail-link';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { Step, Steps } from '@site/ui/steps';
import { bridgeScene, bridgeSteps } from '../drawings/bridge.art.tsx';
import { ReferralForm } from '../forms/referral-form.tsx';
import { description, partnerRoles, rewardSteps } from './partners-page.data.ts';
import styles from './partners-page.module.css';

/**
 * The country list makes the form a third of the page, far below the fold. Until its code arrives, the browser submits
 * the form natively.
 */
const PartnerApplicationForm = later(
  () => import(/* webpackChunkName: "later-application" */ '../forms/partner-application-form.tsx'),
);

export default function PartnersPage() {
  const { name: brand, contact } = useBrand();
  return (
    <Page title="Partners" description={description}>
      <Hero
        eyebrow="Partners"
        title="Be the brick that joins"
        lead="You know a team that is about to build one more login, one more search, one more form. Refer them and earn rewards, or build with us as a partner."
        actions={[
          { label: 'Refer a team', to: '/partners#refer' },
          { label: 'Become a partner', to: '/partners#apply' },
        ]}
        figure={<Picture first art={bridgeScene} />}
      />
      <Section
        id="refer"
        number={1}
        title="Refer a team"
        lead="All we need is your address and theirs. We’ve drafted the message; edit it as you like."
        layout="split"
      >
        <ReferralForm />
      </Section>
      <Section
        id="rewards"
        number={2}
        title="Earn rewards"
        lead="Referring costs you nothing, and there is nothing to install."
        tone="sunk"
      >
        <Steps>
          {rewardSteps.map(({ title, text }, index) => (
            <Step
              key={title}
              title={title}
              figure={<Picture art={bridgeSteps[(index + 1) as 1 | 2 | 3 | 4]} />}
            >
              <p>{text}</p>
            </Step>
          ))}
        </Steps>
      </Section>
      <Section
        id="apply"
        number={3}
        title="Become a partner"
        lead="For agencies, studios and consultants who work with clients. Tell us what you do and we’ll reply by email."
        layout="split"
      >
        <div className={styles.apply}>
          <Definitions
            className={styles.roles}
            aria-label="What partners do"
            items={partnerRoles(brand).map(({ name, text }) => [name, text])}
          />
          <PartnerApplicationForm />
          <p className={styles.contact}>
            Rather talk first?{' '}
            {contact ? (
              <>
                <a href={contact}>Contact us</a> or write
              </>
            ) : (
              'Write'
            )}{' '}
            to <MailLink />.
          </p>
        </div>
      </Section>
    </Page>
  );
}
