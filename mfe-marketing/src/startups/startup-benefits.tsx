import type { ReactElement } from 'react';
import { AppsScreen } from '@site/ui/screens/apps-screen';
import { EnvironmentsScreen } from '@site/ui/screens/environments-screen';
import { SettingsScreen } from '@site/ui/screens/settings-screen';
import { benefits, type BenefitName } from '../pages/startups-page.data.ts';
import styles from './startup-benefits.module.css';

const screens: Record<BenefitName, ReactElement> = {
  time: (
    <SettingsScreen
      hue="sun"
      title="Onboarding"
      note="Trailhead"
      label="The settings of the Onboarding block: a welcome tour and a checklist are on, a reminder by email is off."
      block="onboarding"
      settings={[
        { name: 'Welcome tour', text: 'Four steps for new tutors', on: true },
        { name: 'Checklist', text: 'Until the first lesson', on: true },
        { name: 'Reminder', text: 'By email, after three days', on: false },
      ]}
    />
  ),
  money: (
    <AppsScreen
      hue="signal"
      label="A list of two apps, Trailhead and Trailhead admin. Both run in Stage."
      apps={[
        { name: 'Trailhead', id: 'app_90b3d1f4', environment: 'Stage', fresh: true },
        { name: 'Trailhead admin', id: 'app_3ac27e58', environment: 'Stage' },
      ]}
    />
  ),
  growth: (
    <EnvironmentsScreen
      hue="blue"
      title="Trailhead"
      label="A switch between Dev, Stage and Prod. Prod runs the same three blocks as Stage."
      chosen="Prod"
      blocks={[
        ['Auth', '2.5', '2.4', '2.4'],
        ['University', '1.3', '1.3', '1.3'],
        ['Journey', '2.0', '2.0', '2.0'],
      ]}
      action="View telemetry"
    />
  ),
};

export default function StartupBenefits() {
  return (
    <ul className={styles.benefits}>
      {benefits.map(({ name, title, text, figure }) => (
        <li key={title}>
          <div className={styles.screen}>{screens[name]}</div>
          <p className={styles.figure}>{figure}</p>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}
