const order = (process.env.TEST_ORDER ?? '').split(' ');
const placeOf = ({ path }) => order.findIndex((file) => path.endsWith(file));

/** The nearest tests first: they detect most mutations. */
export default class GivenOrder {
  sort(tests) {
    return [...tests].sort((a, b) => placeOf(a) - placeOf(b));
  }
  cacheResults() {}
}
