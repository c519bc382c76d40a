import { Page } from '@site/kit';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { Picture } from '@site/ui/picture';
import { later } from '@site/ui/later';
import { Section } from '@site/ui/section';
import { trayScene } from '../drawings/tray-scene.art.tsx';
import { BlockInventory } from './block-inventory.tsx';
import { description } from './blocks-page.data.ts';

const Assembler = later(() => import(/* webpackChunkName: "later-assembler" */ '../assemble/assembler.tsx'));
const BlockLayers = later(() => import(/* webpackChunkName: "later-assembler" */ './block-layers.tsx'));

export default function BlocksPage() {
  return (
    <Page title="All backend parts" description={description}>
      <Hero
        eyebrow="The parts"
        title="Every backend part, in one box"
        lead="Production-ready API blocks with the business logic built in. Take the ones you need: each is managed for you and plugs into any frontend through REST."
        actions={[
          { label: 'Open a Free Account', to: '/start/' },
          { label: 'View Documentation', to: '/developers' },
        ]}
        figure={<Picture first art={trayScene} />}
      />
      <Section
        id="parts"
        title="What is in the box"
        lead="Fifteen blocks, delivered as cloud components. Start with one, and add the next when you need it."
      >
        <BlockInventory />
      </Section>
      <Section
        id="assemble"
        tone="sunk"
        title="Assemble your backend"
        lead="Pick blocks, watch them snap on, and take the starter code with you. The link remembers your choice, so you can share it."
      >
        <Assembler />
      </Section>
      <Section
        id="inside"
        tone="blueprint"
        title="What is in every block"
        lead="The API is the part you see. Below it lie four layers that you would otherwise build and run yourself."
      >
        <BlockLayers />
      </Section>
      <CallToAction
        title="Take the first one out"
        lead="One month free in the stage environment, with no credit card."
        actions={[{ label: 'Start Building Free', to: '/start/', icon: 'arrow-right' }]}
      />
    </Page>
  );
}
