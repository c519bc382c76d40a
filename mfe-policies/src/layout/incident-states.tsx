import styles from './incident-states.module.css';

const states = [
  { name: 'New', text: 'We have your report. The notification contains its incident number.' },
  { name: 'Assigned', text: 'An engineer is working on it.' },
  { name: 'Resolved', text: 'The fault is fixed or has a workaround. Tell us if you still see it.' },
  { name: 'Closed', text: 'No further work is needed. The incident keeps its number.' },
] as const;

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
