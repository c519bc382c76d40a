import { formsDefaults } from '@site/forms/config';
import { gatewayDefaults } from '@site/gateway/config';

const DAY = 24 * 60 * 60;

// One process ("npm start") runs both with their defaults.
test('an identity is gone before its guest is forgotten, though each job is a day late and a token is still good', () => {
  expect(gatewayDefaults.retention - formsDefaults.identityRetention).toBeGreaterThanOrEqual(
    gatewayDefaults.tokenLifetime + 2 * DAY + DAY,
  );
});
