"""Small lists for surrogates: given names with their gender, and parts of invented surnames."""

from __future__ import annotations


def _words(text: str) -> list[str]:
    return text.split()


GIVEN = {
    "en": {
        "female": _words(
            """
            Abigail Agnes Alice Amanda Amy Andrea Angela Ann Anna Anne Audrey Barbara Beatrice
            Betty Carol Caroline Catherine Charlotte Christine Claire Clara Cynthia Deborah Diana
            Donna Dorothy Edith Eleanor Elizabeth Ella Ellen Emily Emma Esther Eva Evelyn Florence
            Frances Gloria Grace Hannah Harriet Heather Helen Ida Irene Jane Janet Jean Jennifer
            Jessica Joan Joyce Judith Julia Karen Kate Katherine Kathleen Kimberly Laura Lauren
            Linda Lisa Louise Lucy Lydia Mabel Margaret Maria Marie Martha Mary Megan Melissa
            Michelle Nancy Naomi Nicole Nora Olivia Pamela Patricia Paula Phyllis Rachel Rebecca
            Rose Ruby Ruth Samantha Sandra Sarah Sharon Shirley Sophia Stella Stephanie Susan
            Sylvia Teresa Theresa Tracy Valerie Vera Victoria Violet Virginia Vivian Wendy Zoe
            """
        ),
        "male": _words(
            """
            Aaron Adam Alan Albert Alexander Alfred Andrew Anthony Arnold Arthur Barry Benjamin
            Bernard Brandon Brian Bruce Carl Charles Christopher Clarence Colin Craig Daniel David
            Dennis Derek Donald Douglas Edgar Edward Eric Ernest Eugene Felix Francis Frank
            Frederick Gareth Gary George Gerald Gordon Graham Gregory Harold Harry Henry Herbert
            Howard Hugh Ian Isaac Jack Jacob James Jason Jeffrey Jeremy John Jonathan Joseph
            Joshua Justin Keith Kenneth Kevin Larry Lawrence Leonard Lewis Louis Luke Malcolm Mark
            Martin Matthew Maurice Michael Nathan Neil Nicholas Norman Oliver Oscar Owen Patrick
            Paul Peter Philip Ralph Raymond Richard Robert Robin Roger Ronald Russell Ryan Samuel
            Scott Simon Stanley Stephen Steven Stuart Terence Theodore Thomas Timothy Tyler Victor
            Vincent Walter Warren William
            """
        ),
    },
    "es": {
        "female": _words(
            """
            Adela Alba Alicia Almudena Amalia Amparo Ana Ángela Antonia Araceli Aurora Beatriz
            Belén Berta Blanca Carla Carmen Carolina Catalina Cecilia Clara Claudia Concepción
            Consuelo Cristina Daniela Dolores Elena Elisa Elvira Emilia Encarnación Esperanza
            Estela Eugenia Fátima Gloria Inés Irene Isabel Josefa Juana Julia Laura Leonor Lidia
            Lola Lorena Lourdes Lucía Luisa Magdalena Manuela Marcela María Marina Marta Mercedes
            Miriam Mónica Montserrat Natalia Noelia Nuria Olga Paloma Patricia Paula Pilar Raquel
            Remedios Rocío Rosa Rosario Sara Silvia Sofía Soledad Sonia Susana Teresa Trinidad
            Valeria Vanesa Verónica Yolanda
            """
        ),
        "male": _words(
            """
            Adrián Agustín Alberto Alejandro Alfonso Alfredo Álvaro Andrés Ángel Antonio Arturo
            Benito Bernardo Bruno Camilo Carlos César Cristóbal Daniel Darío David Diego Domingo
            Eduardo Emilio Enrique Ernesto Esteban Eugenio Federico Felipe Fermín Fernando
            Francisco Gabriel Gerardo Gonzalo Gregorio Guillermo Gustavo Héctor Hugo Ignacio
            Isidro Iván Jacinto Jaime Javier Jesús Joaquín Jorge José Juan Julián Julio Leandro
            Lorenzo Lucas Luis Manuel Marcos Mariano Mario Martín Mateo Matías Mauricio Miguel
            Nicolás Óscar Pablo Pedro Rafael Ramiro Ramón Raúl Ricardo Roberto Rodrigo Rubén
            Salvador Samuel Santiago Sebastián Sergio Simón Tomás Vicente Víctor Xavier
            """
        ),
    },
}

SURNAME_STARTS = {
    "en": _words(
        """
        Alder Amber Arden Ash Bar Beck Bell Birch Black Bram Bran Brier Brook Bur Cal Carl Chad
        Clay Cliff Cold Crom Dal Dar Dun East Elder Elm Fair Farn Fen Gar Glen Gray Hal Harl Hart
        Hazel Heath Hol Kel Kings Lang Lind Lock Mar Mel Mill Mor Nor North Oak Ock Pem Rad Red
        Rock Row Rush Sand Shel Sil Stan Stock Strat Sut Thorn Tren Wake Wal Water West Whit Wil
        Win Wood Wyn
        """
    ),
    "es": _words(
        """
        Abar Agui Albo Alda Ara Balma Barbe Beja Bera Cala Caldo Cama Cante Carde Casta Cebre
        Corde Esca Espe Fuente Gala Garce Gorma Iba Jara Lande Lera Losa Mada Malva Mela Mira
        Monte Mora Nava Olmo Orde Pala Pede Pera Quinta Reque Ribe Roble Sala Sanda Sega Solo Tala
        Teje Torre Uría Valde Vega Vela Vilar Zama Zar
        """
    ),
}
SURNAME_ENDS = {
    "en": _words(
        """
        bourne brook bury by combe cote croft dale den ford gate ham hurst land ley low man mere
        mond more ridge shaw son stead stone ton ville ward water well wick win wood worth
        """
    ),
    "es": _words(
        """
        bal ces dero dez dilla do gada gal ga jo lba les lleda llo mero mil nco ndo nera nes nga
        no ra rana rdo res rez rillo ro rra rro sa so sta tero tes tía to va vedo zábal za zo
        """
    ),
}

TITLES = frozenset(
    _words(
        """
        capt col d dame do doctor don doña dr dra dres drs dª dña esq fr frcp ii iii iv jr judge
        lady lic lord lt md miss mr mrs ms np nurse pa pa-c phd prof professor profª rev rn sgt
        sir sr sra srta
        """
    )
)
PARTICLES = frozenset(
    _words(
        """
        al and bin da de del der di el for i la las le los of the van von y
        """
    )
)
# Small words inside the names of places.
LINKS = frozenset(
    _words(
        """
        a am an at aux bei beim by con dei della delle des du e en et im in near off on sobre sous
        sur to und under upon with zu zum zur
        """
    )
)
# Words that say what kind of place or institution it is: they stay.
KINDS = frozenset(
    _words(
        """
        apartment apt av avda ave avenida avenue bajo blvd boulevard box c calle camino carretera
        center centre centro church cir circle clinic clinica close clínica college community
        complejo county court crescent ct ctra dr drive east foundation fundación general health
        highway home hospice hospital hospitalario hwy infirmary institute instituto laboratories
        laboratory lane ln medical memorial n north nursing nº parkway paseo pharmacy piso pkwy pl
        place plaza po provincial puerta pza rd regional road ronda row s saint salud san santa
        school servicio south sq square st ste street suite ter terrace trail trl unit universidad
        universitaria universitario university urbanización way west
        """
    )
)
