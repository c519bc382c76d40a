import { Badge } from '@site/ui/badge';
import { DataTable } from '@site/ui/data-table';
import { firstYear, formatPrice, plans } from './start-page.data.ts';
import styles from './start-first-year.module.css';

export default function FirstYear() {
  return (
    <div className={styles.example}>
      <h3>
        Your first year, worked out <Badge tone="blue">Sample</Badge>
      </h3>
      <p>One block, at most 1,000 internal users, a free first month and eleven months at today’s price.</p>
      <DataTable
        caption="The first year by plan"
        hideCaption
        columns={['Plan', 'Month 1', 'Months 2 to 12', 'First year']}
        rows={plans.map((plan) => [
          plan.name,
          formatPrice(0),
          `11 × ${formatPrice(plan.price)}`,
          `${plan.from ? 'from ' : ''}${formatPrice(firstYear(plan))}`,
        ])}
      />
    </div>
  );
}
