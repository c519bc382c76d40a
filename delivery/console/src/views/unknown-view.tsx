import { ToView } from '../layout/to-view.tsx';
import { View } from '../parts/view.tsx';

/** An address that no view has. */
export function UnknownView() {
  return (
    <View title="There is no such view">
      <p>
        Go to <ToView path="/">what is live now</ToView>.
      </p>
    </View>
  );
}
