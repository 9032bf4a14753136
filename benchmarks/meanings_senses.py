"""How often the first sense and the sense by context are right, on a small set of sentences.

    python benchmarks/meanings_senses.py

Each line: the ambiguous word, a word on the right sense's hypernym path, a sentence.
"""

from __future__ import annotations

from sfumato.methods.meanings.find import find_mentions, fitting, lexicon_of_words, nodes_of
from sfumato.methods.meanings.senses import Context, Surroundings
from sfumato.ontologies import wordnet

SENTENCES = """
marijuana|drug|Uses marijuana for phantom limb pain.
marijuana|drug|The patient admits smoking marijuana and taking cocaine on weekends.
marijuana|shrub|The gardener grew marijuana beside hemp and other shrubs with woody stems.
bank|financial institution|She works as a cashier at a bank and handles deposits of money.
bank|slope|They sat on the grassy bank of the river near the water.
bank|financial institution|The bank refused the loan and the mortgage.
depression|mental state|Treated for depression and anxiety with an antidepressant.
depression|geological formation|Rain filled the shallow depression in the valley floor.
depression|low|A tropical depression brought a cyclone with rain and low air pressure.
cold|respiratory disease|He had a cold with cough, fever and a runny nose; possibly influenza.
cold|temperature|The cold of the winter night and the low temperature froze the pipes.
heart|internal organ|The surgeon opened the chest to repair the heart and its valve.
plant|works|The car factory and the steel plant closed, so the industrial workers left.
plant|organism|The botanist studied a plant with leaves, a flower and a long stem.
crane|bird|A crane, a heron and a stork waded in the marsh.
crane|lifting device|The construction crew used a crane and a hoist to lift the beams.
mouse|rodent|The cat caught a mouse and a rat in the barn.
mouse|electronic device|He moved the mouse beside the keyboard of his computer.
bass|singing voice|The choir has a tenor, a baritone and a bass.
bass|fish|We caught a bass, a trout and a perch in the lake.
nail|fastener|He hit the nail with a hammer next to the screw and the bolt.
nail|horny structure|The nail of her finger and her toe had a fungus.
seal|mammal|A seal, a walrus and a whale swam near the ice.
virus|microorganism|The virus infected cells; bacteria were not found.
virus|malevolent program|The virus came with software and damaged the computer and its files.
stroke|attack|After a stroke the patient had paralysis, like after a seizure.
organ|body part|The liver is an organ like the kidney and the spleen.
organ|musical instrument|She plays the organ, the piano and the violin.
drug|agent|The physician prescribed a drug, an antibiotic medicine.
joint|body part|The knee joint was swollen, and the bone and cartilage of the hip hurt.
joint|cigarette|He rolled a joint of marijuana and smoked it like a cigarette.
palm|tree|The palm and the coconut tree grew near the beach.
palm|area|She had a burn on the palm of her hand, below the thumb.
chest|body part|Pain in the chest and the abdomen.
chest|box|The clothes were in a wooden chest, a box beside the drawer.
coke|drug|He sniffed coke, cocaine and heroin.
speed|drug|Addicted to speed, amphetamine and other stimulant drugs.
grass|drug|He smoked grass, hashish and cannabis.
grass|plant|The cows ate the grass of the pasture, with clover and wheat.
appendix|body part|The appendix and part of the intestine were removed by the surgeon.
appendix|matter|The appendix of the book follows the index and the bibliography.
pupil|student|The teacher praised the pupil and the other student at school.
pupil|aperture|The pupil and the iris of the eye reacted to light.
temple|building|The monks prayed in the temple near the church and the shrine.
bat|mammal|A bat, a mole and a squirrel live in the cave.
mercury|chemical element|The thermometer contained mercury, a metal like lead and tin.
"""

# Written after the method's two constants had been chosen on the sentences above.
HELD_OUT = """
cancer|malignant tumor|The biopsy showed cancer of the lung and a tumor in the liver.
cancer|constellation|Cancer lies between the constellations Gemini and Leo.
ruler|person|The king was a ruler, like the emperor and the queen.
ruler|measuring stick|Draw the line with a ruler and a pencil.
match|contest|Our team won the match, the best game of the tournament.
match|lighter|He lit the candle with a match from the box.
ring|jewelry|She wore a ring, a necklace and a bracelet of gold.
court|tribunal|The judge of the court heard the lawyer and the jury.
court|playing field|They played tennis on the court beside the field.
spring|season|In spring and summer the garden blooms; in autumn it rests.
spring|elastic device|The coil spring and the shock absorber of the car broke.
trunk|stem|The trunk of the oak tree had thick bark.
trunk|compartment|The luggage is in the trunk of the car.
scale|measuring instrument|Weigh the flour on a scale in the kitchen.
jam|food|Bread with butter, jam and honey.
disk|memory device|The computer stores its files on a disk.
club|golf equipment|He swung the club and hit the golf ball with an iron.
iron|chemical element|The ore contains iron, zinc and copper.
iron|appliance|She pressed the shirt with an iron on the board.
port|wine|They drank sherry, port and burgundy after dinner.
port|geographic point|The ship left the port and its harbor at night.
battery|electrical device|The battery gives current to the electric circuit.
tablet|dose|Take one tablet of aspirin, or a capsule, every day.
shingles|herpes|The rash on her skin was shingles, a herpes infection.
"""


def cases(sentences: str = SENTENCES) -> list[tuple[str, str, str]]:
    """(word, word on the right path, sentence)."""
    rows = (line.split("|") for line in sentences.strip().splitlines())
    return [(word, expected, sentence) for word, expected, sentence in rows]


def accuracy(sentences: str = SENTENCES) -> tuple[float, float, list[str]]:
    """The share of right first senses and of right senses by context; the wrong ones."""
    ontology = wordnet()
    context = Context(ontology)
    first = right = 0
    wrong: list[str] = []
    for word, expected, sentence in cases(sentences):
        (mention, *_) = find_mentions(sentence, lexicon_of_words([word]))
        written = sentence[mention.start : mention.stop]
        nodes = fitting(list(nodes_of(mention, ontology)), mention, written, ontology)
        chosen = context.choose(
            nodes, Surroundings.of(sentence).near([(mention.start, mention.stop)])
        )

        def fits(node: int, expected: str = expected) -> bool:
            return any(expected in ontology.words(above) for above in ontology.path(node))

        assert any(map(fits, nodes)), (word, expected)
        first += fits(nodes[0])
        right += fits(chosen)
        if not fits(chosen):
            wrong.append(f"{word} ({expected})")
    return first / len(cases(sentences)), right / len(cases(sentences)), wrong


if __name__ == "__main__":
    from tables import record

    rows = []
    for name, sentences in (("chosen on", SENTENCES), ("held out", HELD_OUT)):
        by_rank, by_context, wrong = accuracy(sentences)
        rows.append(
            {
                "sentences": f"{name}, {len(cases(sentences))}",
                "first sense right": by_rank,
                "sense by context right": by_context,
                "wrong by context": "; ".join(wrong),
            }
        )
    record(
        "meanings_senses",
        rows,
        part="generalize",
        title="Which sense an ambiguous word has",
        note="""The two constants of the method were chosen on the first sentences; the others were
        written after that. All were made up for this purpose; real notes are harder.""",
    )
