"""Pairs by rule in Spanish: a definition agrees with what it is said of, or no pair is made."""

from __future__ import annotations

import pytest

from tests.domain.test_verbs_in_place import put


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("Ana [está en las nubes] .", "estar distraído", "Ana está distraída ."),
        ("Ana [está en las nubes] .", "estar distraída", "Ana está distraída ."),
        ("Juan [está en las nubes] .", "estar distraído", "Juan está distraído ."),
        ("Mi hermana [está en las nubes] .", "estar muy distraído y solo", "Mi hermana está muy distraída y sola ."),
        (
            "Ayer las hermanas de Juan [estaban en las nubes] .",
            "estar triste",
            "Ayer las hermanas de Juan estaban tristes .",
        ),
        ("Ana y Juan [están en las nubes] .", "estar distraído", "agreement"),
        ("Ana y María [están en las nubes] .", "estar distraído", "agreement"),
        ("Una niña que [está en las nubes] .", "estar distraído", "agreement"),
        ("Ana no quiere [estar en las nubes] .", "estar distraído", "Ana no quiere estar distraída ."),
        ("Las niñas siempre han [estado en las nubes] .", "estar solo", "Las niñas siempre han estado solas ."),
        ("Ana [se puso como un tomate] .", "ponerse rojo", "Ana se puso roja ."),
        # The dictionary knows their feminine for another word or for a form of a verb, or not at all.
        ("La tienda [está con la soga al cuello] .", "estar mojado", "La tienda está mojada ."),
        ("Los chicos [estaban en la luna] .", "estar atento", "Los chicos estaban atentos ."),
        ("Ana [está en la luna] .", "estar perdido", "Ana está perdida ."),
        ("Juan [está en la luna] .", "estar despierta", "Juan está despierto ."),
        ("Mis tías [son un libro abierto] .", "ser sincero y discreto", "Mis tías son sinceras y discretas ."),
        ("La niña [tenía madera] .", "tener mérito", "La niña tenía mérito ."),
        ("Las vecinas [llevan la batuta] .", "llevar el recado", "Las vecinas llevan el recado ."),
        ("Ana [es la caña] .", "ser una persona genial", "Ana es una persona genial ."),
        ("Ana [está en forma] .", "estar bien", "Ana está bien ."),
        ("Las chicas [viven en las nubes] .", "vivir feliz", "Las chicas viven felices ."),
        ("Ana [es una tumba] .", "guardar secretos", "Ana guarda secretos ."),
        ("[Está en las nubes] .", "estar feliz", "Está feliz ."),
        # Nobody says who it is, or which of two.
        ("[Está en las nubes] .", "estar distraído", "agreement"),
        ("Si [está en las nubes] , calla .", "estar distraído", "agreement"),
        ("Cuando no [está en las nubes] , habla .", "estar distraído", "agreement"),
        ("Si [están en las nubes] , callan .", "estar triste", "Si están tristes , callan ."),
        ("Usted [está en las nubes] .", "estar distraído", "agreement"),
        ("Tú [estás en las nubes] .", "estar distraído", "agreement"),
        ("La semana pasada Juan [estaba en las nubes] .", "estar distraído", "agreement"),
        ("El hermano de la niña que [está en las nubes] .", "estar distraído", "agreement"),
        ("Ana [es la caña] .", "ser el mejor", "agreement"),
        ("Ana está [metiendo la pata] .", "ser torpe", "Ana está siendo torpe ."),
        ("Ana está [metiendo la pata] .", "estar equivocado", "verb-form"),
        ("La niña [dormía como un tronco] .", "dormir tranquilo", "agreement"),
    ],
)
def test_an_adjective_after_the_verb_of_a_definition(text: str, definition: str, expected: str) -> None:
    assert put(text, definition, "es") == expected


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("Las tareas son [pan comido] .", "muy fácil", "Las tareas son muy fáciles ."),
        ("Las tareas son [pan comido] .", "tarea fácil", "Las tareas son tarea fácil ."),
        ("Los vecinos están [de capa caída] .", "triste", "Los vecinos están tristes ."),
        ("Los vecinos están [de capa caída] .", "cansado, feliz", "Los vecinos están cansados, felices ."),
        ("Ellas se quedaron [de piedra] .", "callado", "Ellas se quedaron calladas ."),
        ("Nosotras estamos [hechas polvo] .", "cansado", "Nosotras estamos cansadas ."),
        ("Eso la puso [como un tomate] .", "rojo", "agreement"),
        ("Mi hermana y su amiga son [uña y carne] .", "muy amigo", "agreement"),
        ("Las personas [de armas tomar] me gustan .", "decidido", "Las personas decididas me gustan ."),
        ("A Ana le parece [pan comido] .", "fácil", "A Ana le parece fácil ."),
        ("Fue una noche [de perros] .", "muy malo", "Fue una noche muy mala ."),
        ("Eran noches [de perros] .", "malo", "Eran noches malas ."),
        ("La niña trabajaba [a tope] .", "duro", "La niña trabajaba duro ."),
        ("Ella habla [por los codos] .", "demasiado", "Ella habla demasiado ."),
        ("Las entradas se vendieron [como churros] .", "rápido", "Las entradas se vendieron rápido ."),
        ("La gasolina está [por las nubes] .", "carísimo", "La gasolina está carísima ."),
        ("Ellos lo hicieron [en un santiamén] .", "rápido", "Ellos lo hicieron rápido ."),
        ("El niño dormía [a pierna suelta] .", "tranquilo", "agreement"),
        ("La tienda está [con la soga al cuello] .", "mojado", "La tienda está mojada ."),
        ("La cuerda iba [por buen camino] .", "derecho", "La cuerda iba derecha ."),
        ("La niña caminaba [a sus anchas] .", "derecho", "La niña caminaba derecho ."),
        ("A Ana le parece [pan comido] .", "sencillo", "agreement"),
        ("El agua está [por las nubes] .", "caro", "agreement"),
        ("Ellas son [de fuera] .", "inglés", "agreement"),
        ("Eso me puso [como un tomate] .", "rojo", "agreement"),
        ("Juan dejó [de piedra] a Ana .", "asombrado", "agreement"),
        ("Los niños dormían [a pierna suelta] .", "tranquilo", "agreement"),
        ("Me costó [un ojo de la cara] .", "muchísimo dinero", "Me costó muchísimo dinero ."),
        ("Tiene [un ejército] .", "muchísima gente", "Tiene muchísima gente ."),
    ],
)
def test_an_adjective_in_the_place_of_an_expression(text: str, definition: str, expected: str) -> None:
    assert put(text, definition, "es") == expected


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("Ana fue [tomada por tonta] .", "ser engañado", "Ana fue engañada ."),
        ("Los vecinos fueron [tomados por tontos] .", "engañado", "Los vecinos fueron engañados ."),
        ("Ana [fue tomada por tonta] .", "ser engañado", "Ana fue engañada ."),
        ("Ana fue [tomada por tonta] .", "engañar", "verb-form"),
        ("Ana fue [tomada por tonta] .", "estar confundido", "verb-form"),
        ("Ana estaba [hasta las narices] .", "estar harto", "Ana estaba harta ."),
        ("Ana seguía [hasta las narices] .", "estar harto", "part-of-speech"),
    ],
)
def test_a_passive_keeps_its_verb_once(text: str, definition: str, expected: str) -> None:
    assert put(text, definition, "es") == expected


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("Las entradas nos [costaron un riñón] .", "ser muy caro", "verb-form"),
        ("El viaje me [trae de cabeza] .", "estar cansado", "verb-form"),
        ("Las entradas nos [costaron un riñón] .", "arruinar", "Las entradas nos arruinaron ."),
        ("Las entradas [costaron un riñón] .", "ser muy caro", "Las entradas fueron muy caras ."),
    ],
)
def test_what_is_said_to_somebody_is_not_said_of_them(text: str, definition: str, expected: str) -> None:
    assert put(text, definition, "es") == expected
