import { Badge } from '@site/ui/badge';
import { PartsList } from '@site/ui/parts-list';
import { Section } from '@site/ui/section';
import { AppsScreen } from '@site/ui/screens/apps-screen';
import { EnvironmentsScreen } from '@site/ui/screens/environments-screen';
import { LoginScreen } from '@site/ui/screens/login-screen';
import { SettingsScreen } from '@site/ui/screens/settings-screen';
import { Step, Steps } from '@site/ui/steps';
import { startSteps, type StepName } from './start-steps.data.ts';

const screens: Record<StepName, React.ReactElement> = {
  app: (
    <AppsScreen
      hue="sun"
      label="A list of three apps with their app IDs. The newest, Corner shop, runs in Stage."
      apps={[
        { name: 'Corner shop', id: 'app_7d0e41b2', environment: 'Stage', fresh: true },
        { name: 'Course site', id: 'app_15c9a803', environment: 'Dev' },
        { name: 'Town guide', id: 'app_e2f6670d', environment: 'Prod' },
      ]}
    />
  ),
  choose: (
    <SettingsScreen
      hue="blue"
      title="Auth"
      note="Corner shop"
      label="The settings of the Auth block: registration and password recovery are on, company accounts are off. 212 of 1,000 internal users."
      block="auth"
      settings={[
        { name: 'Registration', text: 'Customers create their own accounts', on: true },
        { name: 'Password recovery', text: 'A link by email', on: true },
        { name: 'Company accounts', text: 'Needs the Companies block', on: false },
      ]}
      users={[212, 1000]}
    />
  ),
  build: (
    <EnvironmentsScreen
      hue="paper"
      title="Corner shop"
      label="A switch between Dev, Stage and Prod. Stage has three blocks; Prod is still empty."
      chosen="Stage"
      blocks={[
        ['Auth', '2.4', '2.4', ''],
        ['Products', '1.9', '1.8', ''],
        ['Search', '3.1', '3.1', ''],
      ]}
      action="Move to Prod"
    />
  ),
  integrate: (
    <LoginScreen
      title="Your frontend"
      app="Corner shop"
      label="A login form next to its call: POST /users/login with email and password. The response is 200 with a token."
      call={{
        request: `await api('POST', '/users/login', {
  email,
  password,
});`,
        status: '200 OK',
        response: 'company-token: eyJhbGciOi…',
      }}
    />
  ),
};

export default function StartWalkthrough() {
  return (
    <Section
      tone="blueprint"
      id="steps"
      eyebrow={<Badge tone="blue">Sample builds</Badge>}
      title="Sign up and start in four steps"
      lead="From an empty plate to a running product."
    >
      <Steps layout="pairs">
        {startSteps.map(({ drawing, title, text, part }) => (
          <Step
            key={drawing}
            title={title}
            figure={screens[drawing]}
            parts={<PartsList title="What this step takes" hideTitle parts={[part]} />}
          >
            <p>{text}</p>
          </Step>
        ))}
      </Steps>
    </Section>
  );
}
