import { act, screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import { questionsForMachines } from './home-page.structured-data.ts';
import { Questions } from './home-questions.tsx';
import StartPage from './start-page.tsx';
import { plansForMachines } from './start-page.structured-data.ts';

test("the structured data has the page's six questions and answers", () => {
  renderPage(<Questions />, { path: '/home' });
  const { mainEntity } = questionsForMachines as unknown as {
    mainEntity: { name: string; acceptedAnswer: { text: string } }[];
  };
  expect(mainEntity).toHaveLength(6);
  for (const { name, acceptedAnswer } of mainEntity) {
    expect(screen.getByText(name)).toBeInTheDocument();
    expect(screen.getByText(acceptedAnswer.text)).toBeInTheDocument();
  }
});

test("the structured data has the page's prices", async () => {
  await act(() => Promise.resolve(renderPage(<StartPage />, { path: '/start' })));
  const plans = plansForMachines('Blocks', 'https://site.test') as unknown as {
    name: string;
    offers: { price?: string; lowPrice?: string; priceCurrency: string; url: string };
  }[];
  expect(plans.map(({ offers }) => offers.price ?? offers.lowPrice)).toEqual(['59.99', '65.99', '79.99']);
  for (const { offers } of plans) {
    expect(offers).toMatchObject({ priceCurrency: 'USD', url: 'https://site.test/start' });
    expect(screen.getAllByText(`$${offers.price ?? offers.lowPrice}`)[0]).toBeInTheDocument();
  }
});
