import type { BadgeProps } from '@site/ui/badge';

export const priorityColumns = ['Priority', 'Response', 'Resolution', 'Incidents'] as const;

export interface PriorityRow {
  priority: string;
  tone: NonNullable<BadgeProps['tone']>;
  /** The incidents with this priority. Empty if the specification does not list any. */
  detail: string;
  response: string;
  resolution: string;
  incidents: string;
}

export const priorityRows: readonly PriorityRow[] = [
  {
    priority: 'CRITICAL',
    tone: 'signal',
    detail: '',
    response: '1 hour',
    resolution: '99% of faults in 1 to 4 hours during business hours',
    incidents: 'unlimited',
  },
  {
    priority: 'HIGH',
    tone: 'sun',
    detail: 'Affects 3 or more users',
    response: '1 business day',
    resolution: '85% in 1 to 2 working days',
    incidents: '7 to 9 per month',
  },
  {
    priority: 'MEDIUM',
    tone: 'blue',
    detail: 'Affects fewer than 3 users',
    response: '1 to 2 business days',
    resolution: '85% in 2 to 4 working days',
    incidents: '4 to 6 per month',
  },
  {
    priority: 'NORMAL',
    tone: 'neutral',
    detail: 'Low impact',
    response: '2 to 3 business days',
    resolution: '85% in 4 to 7 working days',
    incidents: '1 to 3 per month',
  },
];
