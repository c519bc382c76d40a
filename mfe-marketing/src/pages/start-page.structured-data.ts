import type { StructuredData } from '@site/kit';
import { planParts, plans, type Plan } from './start-page.data.ts';

/** The plans as structured data. @see https://schema.org/Product */
export function plansForMachines(brand: string, origin: string): StructuredData[] {
  const parts = planParts.map(({ count, name }) => `${count} ${name}`).join(', ');
  return plans.map((plan) => ({
    '@type': 'Product',
    name: `${brand} ${plan.name} plan`,
    description: `${plan.text} Lists ${parts}.`,
    image: `${origin}/card.png`,
    brand: { '@type': 'Brand', name: brand },
    offers: offer(plan, `${origin}/start`),
  }));
}

function offer({ price, from }: Plan, url: string): StructuredData {
  const priceText = price.toFixed(2);
  // A single plan with a starting price.
  if (from)
    return { '@type': 'AggregateOffer', offerCount: 1, lowPrice: priceText, priceCurrency: 'USD', url };
  return {
    '@type': 'Offer',
    price: priceText,
    priceCurrency: 'USD',
    // The unit of the price: per month (UN/CEFACT code).
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price: priceText,
      priceCurrency: 'USD',
      unitCode: 'MON',
      billingIncrement: 1,
    },
    availability: 'https://schema.org/InStock',
    url,
  };
}
