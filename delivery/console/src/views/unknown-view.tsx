import { ToView } from '../layout/to-view.tsx';
import { View } from '../parts/view.tsx';

export function UnknownView() {
  return (
    <View title="View not found">
      <p>
        Go to <ToView path="/">the live versions</ToView>.
      </p>
    </View>
  );
}

/** Shows no other channel instead, because the user would act on the wrong one. */
export function UnknownChannelView({ name }: { name: string }) {
  return (
    <View title={`There is no channel “${name}”`}>
      <p>
        Go to <ToView path="/">the live versions on production</ToView>.
      </p>
    </View>
  );
}
