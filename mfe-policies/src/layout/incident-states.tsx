import styles from './incident-states.module.css';

const states = [
  { name: 'New', text: 'We have your report. The notification carries its incident number.' },
  { name: 'Assigned', text: 'Someone on our side is working on it.' },
  { name: 'Resolved', text: 'The fault is gone, or there is a way around it. Tell us if you see it still.' },
  { name: 'Closed', text: 'Nothing more is to be done. The incident stays on file under its number.' },
] as const;

/** The four notifications of a support incident, in order. */
export function IncidentStates() {
  return (
    <ol className={styles.states}>
      {states.map(({ name, text }) => (
        <li key={name} className={styles.state}>
          <strong>{name}</strong>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
