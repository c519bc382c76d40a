import { Picture } from '@site/ui/picture';
import { EnvironmentsScreen } from '@site/ui/screens/environments-screen';
import { TelemetryScreen } from '@site/ui/screens/telemetry-screen';
import { timeDrawing } from './time-drawing.art.tsx';
import styles from './indie-benefits.module.css';

const weeks = [
  ['paper', 'Setup and authentication'],
  ['sun', 'Core features'],
  ['signal', 'Payments and polish'],
  ['blue', 'Launch ready'],
] as const;

export default function IndieBenefits() {
  return (
    <ul className={styles.benefits}>
      <li className={styles.time}>
        <figure className={styles.figure}>
          <Picture art={timeDrawing} />
        </figure>
        <h3>80 percent time reduction</h3>
        <p>Sign-up, forms, files and search come out of the box. You write the part that’s yours.</p>
      </li>
      <li>
        <ol className={`${styles.figure} ${styles.weeks}`}>
          {weeks.map(([hue, week], index) => (
            <li key={week} className={`hue-${hue}`}>
              <b>{index + 1}</b> {week}
            </li>
          ))}
        </ol>
        <h3>4-week MVP</h3>
        <p>One goal a week. You know on day 1 what ships on day 28.</p>
      </li>
      <li>
        <div className={styles.figure}>
          <TelemetryScreen
            title="Requests"
            note="Last 24 hours"
            label="A telemetry chart: requests per hour over one day, with a peak in the evening."
            figures={[
              ['Requests', '18,204'],
              ['Errors', '3'],
            ]}
            columns={[2, 1, 1, 1, 2, 3, 4, 5, 5, 6, 5, 4, 5, 6, 7, 8, 9, 8, 6, 4]}
            axis={['00:00', '12:00', '24:00']}
          />
        </div>
        <h3>Nothing to operate</h3>
        <p>Instrumentation, telemetry, DevOps and infrastructure come with every block.</p>
      </li>
      <li>
        <div className={styles.figure}>
          <EnvironmentsScreen
            hue="sun"
            title="Music lessons"
            note="Free month"
            label="A switch between Dev, Stage and Prod. Stage has two blocks."
            chosen="Stage"
            blocks={[
              ['Auth', '2.4', '2.4', ''],
              ['Forms', '1.7', '1.6', ''],
            ]}
            action="Choose a plan"
          />
        </div>
        <h3>Free to start</h3>
        <p>Build in Stage for a month. Choose a monthly plan when you’re ready to launch.</p>
      </li>
    </ul>
  );
}
