import type { ReactElement } from 'react';
import { CodeSample } from '@site/ui/code-sample';
import { LoginScreen } from '@site/ui/screens/login-screen';
import { SettingsScreen } from '@site/ui/screens/settings-screen';
import { Section } from '@site/ui/section';
import { CallList } from '../block/call-list.tsx';
import { flows } from './auth-flows.data.ts';
import styles from './auth-flows.module.css';

const screens: Record<string, ReactElement> = {
  Registration: (
    <SettingsScreen
      hue="blue"
      title="Registration"
      note="Sample app"
      label="The settings of registration: new accounts are on, email confirmation is on, weak passwords are off."
      block="auth"
      settings={[
        { name: 'New accounts', text: 'Anyone can register', on: true },
        { name: 'Email confirmation', text: 'Before the first login', on: true },
        { name: 'Weak passwords', text: 'Rejected with an error', on: false },
      ]}
    />
  ),
  Login: (
    <LoginScreen
      title="Your frontend"
      note="Sample app"
      app="Trailhead"
      label="A login form with email and password, whose call is next to it."
    />
  ),
};

export default function AuthFlows() {
  return (
    <Section
      title="Three flows, five calls"
      id="flows"
      tone="blueprint"
      lead="You build the screens, the block runs the rest. These calls are samples: paths and fields in your own app can differ."
    >
      <CallList
        calls={flows.map(({ title, text, sample }) => ({
          title,
          story: (
            <>
              {text.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
              {screens[title] && <div className={styles.screen}>{screens[title]}</div>}
            </>
          ),
          samples: <CodeSample {...sample} />,
        }))}
      />
    </Section>
  );
}
